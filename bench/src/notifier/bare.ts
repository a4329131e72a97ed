import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { Agent } from 'undici';

/** Posts the bodies that it is told, each to its address, as many at a time as there are addresses: what a client does by itself. */
const { urls, each, body, authority } = JSON.parse(await text(process.stdin)) as {
  urls: string[];
  each: number;
  body: string;
  authority: string;
};
const agent = new Agent({ connections: null, pipelining: 1, connect: { ca: readFileSync(authority) } });
const post = async (times: number) => {
  await Promise.all(
    urls.map(async (url) => {
      const { origin, pathname: path } = new URL(url);
      for (let i = 0; i < times; i++) {
        const headers = { 'content-type': 'application/json' };
        const answer = await agent.request({ origin, path, method: 'POST', headers, body });
        await answer.body.dump();
      }
    }),
  );
};
// what it is compared with has been running, and is connected
await post(Math.ceil(each / 2));
const [begun, before] = [performance.now(), process.cpuUsage()];
await post(each);
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ seconds: (performance.now() - begun) / 1_000, cpu: user + system }));
await agent.close();
