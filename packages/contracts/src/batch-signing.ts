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
/** one is asked for as long as its words come */
const mostTrees = 200;

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
    const signature = await sign(batchContext, base64url(root));
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

/** A tree under a signature. */
interface Tree {
  signer: Promise<SignerName>;
  /** what leads to its root, as far as it was seen, and the neighbours of that: all of it is vouched for */
  known: Set<string>;
}

/**
 * Says who has signed a word among others. A signature is checked once for all words that come with it while it is remembered, and so is
 * each node on their ways: whoever stands beside what was checked is vouched for as well.
 */
export function batchVerifier(verify: Verify): Verify {
  const trees = new LRUCache<string, Tree>({ max: mostTrees });
  return async (text, context, payload) => {
    const [signature = '', sides = '', hashes = '', ...rest] =
      text.length > longestText ? [] : text.split(' ');
    const neighbours = Buffer.from(hashes, 'base64url').toString('latin1');
    if (!sidesForm.test(sides) || neighbours.length !== sides.length * hashBytes || rest.length > 0)
      throw new Error('is not a signature of a batch');
    const leaf = leafOf(context, payload);
    const tree = trees.get(signature);
    if (tree) {
      const { top, passed } = climb(leaf, sides, neighbours, tree.known);
      if (tree.known.has(top)) {
        for (const hash of passed) tree.known.add(hash);
        const signer = await tree.signer.catch(() => undefined);
        if (signer !== undefined) return signer;
      }
    }
    const { top: root, passed } = climb(leaf, sides, neighbours);
    const signer = verify(signature, batchContext, base64url(root));
    // whoever says other words under a signature does not have those forgotten that it is of
    if (!trees.has(signature)) {
      trees.set(signature, { signer, known: new Set([...passed, root]) });
      // only what holds is worth a place
      signer.catch(() => trees.delete(signature));
    }
    return await signer;
  };
}

/** From the leaves to the root. Who has no neighbour stands in the next level as well. */
function levelsOver(leaves: readonly string[]): (readonly string[])[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 1; levels.push(level)) {
    const next: string[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [left, right] = level.slice(index, index + 2);
      if (left) next.push(right ? nodeOf(left, right) : left);
    }
    level = next;
  }
  return levels;
}

function wayFrom(levels: readonly (readonly string[])[], leaf: number): string {
  let sides = '';
  const neighbours: string[] = [];
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
  return `${sides} ${base64url(neighbours.join(''))}`;
}

/** Goes from a leaf towards the root, as far as nothing is known, and notes by what it has come. */
function climb(
  leaf: string,
  sides: string,
  neighbours: string,
  known?: ReadonlySet<string>,
): { top: string; passed: string[] } {
  let top = leaf;
  const passed: string[] = [];
  for (let step = 0; step < sides.length && !known?.has(top); step++) {
    const neighbour = neighbours.slice(step * hashBytes, (step + 1) * hashBytes);
    passed.push(top, neighbour);
    top = sides[step] === 'L' ? nodeOf(neighbour, top) : nodeOf(top, neighbour);
  }
  return { top, passed };
}

// a leaf begins with another byte than a node, so that none can be taken for the other; a hash is a text of 32 characters, a byte each

function leafOf(context: string, payload: string | Uint8Array): string {
  const head = `\0${context}\n`;
  const bytes = typeof payload === 'string' ? head + payload : Buffer.concat([Buffer.from(head), payload]);
  return hash('sha256', bytes, 'binary');
}

const pair = Buffer.alloc(1 + 2 * hashBytes, 1);

function nodeOf(left: string, right: string): string {
  pair.write(left, 1, 'latin1');
  pair.write(right, 1 + hashBytes, 'latin1');
  return hash('sha256', pair, 'binary');
}

const base64url = (hashes: string) => Buffer.from(hashes, 'latin1').toString('base64url');
