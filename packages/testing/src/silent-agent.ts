// An agent that never says anything: for tests that speak in its place, or need one that does not come up.
import { writeFileSync } from 'node:fs';

// as every agent does; without it each replica would search all processes for this one, again and again
writeFileSync('agent.pid', JSON.stringify({ pid: process.pid, build: process.env.AGENT_BUILD }));
setInterval(() => undefined, 60_000);
