"""A text in Markdown as plain paragraphs."""


def paragraphs(markdown: str) -> list[str]:
    """The paragraphs, items and headings of a text in Markdown, each in one line."""
    found: list[str] = []
    joins = False
    for line in markdown.splitlines():
        text = line.strip().replace("**", "").replace("`", "")
        begins = not text or line.startswith(("#", "- "))
        if joins and not begins:
            found[-1] += " " + text
        else:
            found.append(text)
        joins = bool(text) and not line.startswith("#")
    return found
