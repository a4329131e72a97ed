import { readFileSync } from 'node:fs';
import { Agent } from 'undici';

/** Commands of its parent; it answers how long that took, and its CPU time in µs. */
export interface Posts {
  urls: string[];
  /** to each of them, one after the other */
  each: number;
  body: string;
}
export interface Posted {
  seconds: number;
  cpu: number;
}

/** Posts bodies, each to its address, as many at a time as there are addresses: what a client does by itself. */
const agent = new Agent({
  connections: null,
  pipelining: 1,
  connect: { ca: readFileSync(process.argv[2] ?? '') },
});

async function post({ urls, each, body }: Posts): Promise<Posted> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await Promise.all(
    urls.map(async (url) => {
      const { origin, pathname: path } = new URL(url);
      for (let i = 0; i < each; i++) {
        const headers = { 'content-type': 'application/json' };
        const answer = await agent.request({ origin, path, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - begun) / 1_000, cpu: user + system };
}

process.on('message', (posts: Posts) => void post(posts).then((posted) => process.send?.(posted)));
