// the tests of this room come with its first code
