"""The 256 words that stand for the values of a byte when something is read aloud.

They are easy to tell apart at a noisy table. They are everyday words of four to eight letters; no
two have the same first four letters, and any two differ in at least three letters.
"""

_TEXT = """
acid acorn album alley amber anchor angle apron atlas autumn badge bakery balloon bamboo
banjo barrel basket beach bell bicycle bishop blossom bonfire bottle bread brick bubble
buffalo butter cabbage cabin cactus camel canoe captain carpet castle chalk cheese cherry
chicken chimney circle cliff clover cobra coffee compass copper cotton cousin cowboy crayon
crown cushion cymbal daisy dancer dentist desert diamond dolphin domino donkey drawer drum
duck earth echo elbow engine evening fabric falcon farmer feather fence fiddle finger firefly
flag flute forest fossil funnel furnace galaxy garden garlic ghost giant giraffe glacier
grape guitar gypsum harbor hedgehog helmet hexagon hippo horizon hospital hotel hydrant
iceberg igloo infant insect island ivory jaguar jasmine jewel jigsaw juice jury kangaroo
keyboard kidney kimono kitchen kiwi knight koala ladder lagoon lantern laundry lavender lemon
leopard lettuce library lily lizard lobster locket lunch lyric magnet magpie marble meadow
mermaid mirror morning mosaic muffin museum mustard napkin narwhal needle nephew nickel
notebook nugget nylon oasis ocean octopus olive omelet onion orange orbit orchid ostrich
oxygen palace panda parrot passport peanut pelican pencil picnic pigeon pillow pinecone
pirate platform poem potato pudding pumpkin puzzle pyramid quartz queen quilt quiver rabbit
radio railway raisin raven reindeer ribbon roof sailor salad sapphire scarf school scooter
silver skate sleeve snail soap spider spinach squirrel stable stadium student sugar summer
sunrise syrup temple thistle thunder toast tornado tractor trombone trumpet tulip turtle
twelve typist ukulele umbrella unicorn vacuum vanilla village vinegar violin volcano voyage
vulture waffle walnut widow windmill wombat workshop wrist yacht yogurt zigzag zodiac
"""

WORDS = tuple(_TEXT.split())
