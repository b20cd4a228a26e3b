-- A consumer that still holds something stays, or its leases would go with it.
for stream, group in pairs({[LEASES] = 'workers', [VERDICTS] = 'servers'}) do
  if #redis.call('XPENDING', stream, group, '-', '+', 1, ARGV[1]) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', stream, group, ARGV[1])
  end
end
return 1
