// Read by n8n-core when it is first imported. The services of the tests run on 127.0.0.1; every
// other private address is out of reach.
process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
process.env.N8N_SSRF_ALLOWED_IP_RANGES = '127.0.0.1/32';
process.env.N8N_SSRF_BLOCKED_HOSTNAMES = 'blocked.example';
