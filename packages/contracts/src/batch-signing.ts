import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sign, SignerName, Verify } from './signing.ts';

/** What is signed beside others. */
export interface Word {
  /** where it is said: the signature holds nowhere else */
  context: string;
  payload: string;
}

/** Signs words together, and answers for each what vouches for it; undefined for one that is by itself. */
export type SignBatch = (words: readonly Word[]) => Promise<(string | undefined)[]>;

/** no word is said there */
const batchContext = 'batch';
/** so that a way has six steps at most: with more words it grows, and what the signature costs each is little already */
const mostWords = 64;
/** which another release may sign together; it is bounded all the same */
const sidesForm = /^[LR]{1,16}$/;
const longestText = 4_096;
const hashBytes = 32;
/** a root is asked for as long as its words come */
const mostRoots = 1_000;

/**
 * Signs the root of a Merkle tree over the words (RFC 9162, 2.1). What vouches for each of them is that signature, and the way from the
 * word to the root: on which side each neighbour stands, and their hashes. So whoever has one word can check it without the others.
 */
export function batchSigner(sign: Sign): SignBatch {
  const signTogether = async (words: readonly Word[]): Promise<(string | undefined)[]> => {
    if (words.length < 2) return words.map(() => undefined);
    const levels = levelsOver(words.map(({ context, payload }) => leafOf(context, payload)));
    const root = levels.at(-1)?.[0];
    if (!root) return [];
    const signature = await sign(batchContext, root.toString('base64url'));
    return words.map((_, index) => `${signature} ${wayFrom(levels, index)}`);
  };
  return async (words) => {
    const size = Math.ceil(words.length / Math.ceil(words.length / mostWords));
    const batches: Promise<(string | undefined)[]>[] = [];
    for (let first = 0; first < words.length; first += size)
      batches.push(signTogether(words.slice(first, first + size)));
    return (await Promise.all(batches)).flat();
  };
}

/**
 * Says who has signed a word among others. A signature is checked once for all words that come with it while it is remembered; what is
 * left of each are the hashes on its way.
 */
export function batchVerifier(verify: Verify): Verify {
  const signers = new LRUCache<string, Promise<SignerName>>({ max: mostRoots });
  return async (text, context, payload) => {
    const [signature = '', sides = '', neighbours = '', ...rest] =
      text.length > longestText ? [] : text.split(' ');
    const hashes = Buffer.from(neighbours, 'base64url');
    if (!sidesForm.test(sides) || hashes.length !== sides.length * hashBytes || rest.length > 0)
      throw new Error('is not a signature of a batch');
    const root = rootFrom(leafOf(context, payload), sides, hashes).toString('base64url');
    const key = `${signature} ${root}`;
    const known = signers.get(key);
    if (known) return await known;
    const found = verify(signature, batchContext, root);
    signers.set(key, found);
    // only what holds is worth a place
    found.catch(() => signers.delete(key));
    return await found;
  };
}

/** From the leaves to the root. Who has no neighbour stands in the next level as well. */
function levelsOver(leaves: readonly Buffer[]): (readonly Buffer[])[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const next: Buffer[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = level.slice(index, index + 2);
      if (left) next.push(right ? nodeOf(left, right) : left);
    }
    level = next;
  }
  return levels;
}

function wayFrom(levels: readonly (readonly Buffer[])[], leaf: number): string {
  let sides = '';
  const neighbours: Buffer[] = [];
  let index = leaf;
  for (const level of levels) {
    const isRight = index % 2 === 1;
    const neighbour = level[isRight ? index - 1 : index + 1];
    if (neighbour) {
      sides += isRight ? 'L' : 'R';
      neighbours.push(neighbour);
    }
    index = Math.floor(index / 2);
  }
  return `${sides} ${Buffer.concat(neighbours).toString('base64url')}`;
}

function rootFrom(leaf: Buffer, sides: string, neighbours: Buffer): Buffer {
  let node = leaf;
  for (let step = 0; step < sides.length; step++) {
    const neighbour = neighbours.subarray(step * hashBytes, (step + 1) * hashBytes);
    node = sides[step] === 'L' ? nodeOf(neighbour, node) : nodeOf(node, neighbour);
  }
  return node;
}

// a leaf begins with another byte than a node, so that none can be taken for the other

function leafOf(context: string, payload: string | Uint8Array): Buffer {
  const head = `\0${context}\n`;
  if (typeof payload === 'string') return hash('sha256', head + payload, 'buffer');
  return hash('sha256', Buffer.concat([Buffer.from(head), payload]), 'buffer');
}

const pair = Buffer.alloc(1 + 2 * hashBytes, 1);

function nodeOf(left: Uint8Array, right: Uint8Array): Buffer {
  pair.set(left, 1);
  pair.set(right, 1 + hashBytes);
  return hash('sha256', pair, 'buffer');
}
