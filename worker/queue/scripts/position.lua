return position_of(ARGV[1])
