import ipaddr from 'ipaddr.js';
import { ensure, find, kindOf, pages, pathOf, remove } from './api-changes.ts';
import type { compute_v1, Step } from './clients.ts';
import { linkMark, linkName } from './names.ts';

/** The subnet whose addresses the packets of endpoints come from: each attachment has one of its own in the deployment's network. */

const purpose = 'PRIVATE_SERVICE_CONNECT';
const bits = 24;
const size = 2 ** (32 - bits);

export async function ensureTranslation(
  step: Step,
  uid: string,
  network: string,
): Promise<{ link: string; block: string }> {
  const known = await find(step, translationKind(step, uid).get);
  const block = known?.ipCidrRange ?? firstFree(step.natRange, await takenIn(step, network));
  const kind = translationKind(step, uid, { network, ipCidrRange: block, purpose });
  const { selfLink, ipCidrRange } = await ensure(step, kind);
  return { link: selfLink ?? '', block: ipCidrRange ?? block };
}

/** @returns whether there was one */
export const removeTranslation = (step: Step, uid: string) => remove(step, translationKind(step, uid));

async function takenIn(step: Step, network: string): Promise<string[]> {
  const { api, project, region } = step;
  const taken: string[] = [];
  const all = pages(step, (pageToken, options) =>
    api.subnetworks.list(
      { project, region, filter: `purpose eq ${purpose}`, ...(pageToken && { pageToken }) },
      options,
    ),
  );
  for await (const { items } of all)
    for (const { network: of, ipCidrRange } of items ?? [])
      if (pathOf(of) === pathOf(network) && ipCidrRange) taken.push(ipCidrRange);
  return taken;
}

/** The first block in a range of which nothing is taken; taken ones are of the same size. */
export function firstFree(range: string, taken: readonly string[]): string {
  const [, rangeBits] = ipaddr.IPv4.parseCIDR(range);
  const first = ipaddr.IPv4.networkAddressFromCIDR(range).toByteArray();
  const start = first.reduce((value, byte) => value * 256 + byte, 0);
  for (let number = 0; number < 2 ** (bits - rangeBits); number++) {
    const value = start + number * size;
    const address = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
    const block = `${address}/${bits}`;
    if (!taken.includes(block)) return block;
  }
  throw new Error(`no block for translated addresses is left in ${range}`);
}

const translationKind = ({ api, ...place }: Step, uid: string, wanted: compute_v1.Schema$Subnetwork = {}) =>
  kindOf<compute_v1.Schema$Subnetwork>(api.subnetworks, 'subnetwork', place, {
    ...wanted,
    name: linkName(uid),
    description: linkMark(uid),
  });
