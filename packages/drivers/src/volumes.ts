import type { NodeId } from '@sluice/contracts';

export interface SealedCopy {
  /** of all that is in it, by which it is recognised */
  digest: string;
  bytes: number;
  /** what people read as the id of the volume that it is of, where that is known only now */
  volume?: string;
}

/** The answer of a call that has begun something which takes longer: it is to be repeated in a while. */
export const underWay = 'under way';
export type UnderWay = typeof underWay;

/** On what a driver is called. A call that is given up must not do anything from then on. */
export interface VolumeCall {
  /** aborted when the call is given up */
  signal: AbortSignal;
  /** To be awaited right before what cannot be taken back. @throws when the call is given up */
  confirm(): Promise<void>;
}

/** The volume of a node, and the copy that it is about. */
export interface CopiedVolume {
  node: NodeId;
  /** the copy's id, of letters, digits and dashes, which no other copy ever has */
  copy: string;
}

/** A copy that is put back, on a node that has something stored. */
export interface RestoredVolume extends CopiedVolume {
  /** the restore's id, a UUID, which no other restore ever has */
  run: string;
}

/**
 * Copies what nodes have stored to where the loss of a node does not reach it, and puts it back. Every call may be repeated, also after one
 * that was cut short anywhere.
 */
export interface VolumeDriver {
  /** seconds that a node may take more to come up with what was put in its place, where it is another machine then */
  readonly restartSeconds?: number;
  /** What people read as the id of a node's volume. */
  volumeOf(node: NodeId): string;
  /** Copies the volume of a node whose broker is stopped. A copy is not whole before it is sealed. */
  copy(volume: CopiedVolume, call: VolumeCall): Promise<void | UnderWay>;
  /** Makes a copy whole; the broker may run. */
  seal(volume: CopiedVolume, call: VolumeCall): Promise<SealedCopy | UnderWay>;
  /** Checks the whole copy, and puts it beside what the node has stored; the broker may run. */
  stage(volume: RestoredVolume, digest: string, call: VolumeCall): Promise<void | UnderWay>;
  /**
   * Puts what is staged in place of what the node has stored, and keeps that beside. The broker is stopped, and once this has ended none
   * starts with what was there before.
   */
  swap(volume: RestoredVolume, call: VolumeCall): Promise<void | UnderWay>;
  /** The node has again what it had stored before `swap`, wherever that was cut short. The broker is stopped. */
  swapBack(volume: RestoredVolume, call: VolumeCall): Promise<void | UnderWay>;
  /** Removes what a restore has put beside what nodes have stored. Only once nothing is to be swapped any more. */
  clear(run: string): Promise<void>;
  /** Removes a copy, whole or not. */
  remove(copy: string): Promise<void>;
  /** The copies that are not whole, and the restores that have put something beside. Whole ones without a backup are left to people. */
  list(): Promise<{ unfinished: string[]; runs: string[] }>;
}
