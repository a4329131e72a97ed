import type { BatchCallback, DirectStreamAPI, StoredMsg } from '@nats-io/jetstream';

/** entries that are asked for at a time */
const batch = 5_000;
/** for how long nothing may come before a batch counts as lost, in milliseconds */
const silentMilliseconds = 2_000;

/**
 * Reads what a bucket's stream has from a revision on, in order, up to a batch. That takes no consumer: who may make one can have NATS
 * deliver messages to any subject.
 * @param taken is handed each entry; what it answers says whether to go on
 * @throws Error when NATS does not answer, or an entry of the batch has got lost
 */
export async function readBucket(
  direct: DirectStreamAPI,
  stream: string,
  from: number,
  taken: (entry: StoredMsg) => boolean,
): Promise<void> {
  /** the entry before, as NATS names it beside each */
  let last = 0;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const silent = setTimeout(() => reject(new Error('NATS does not answer')), silentMilliseconds);
  const callback: BatchCallback<StoredMsg> = (done, entry) => {
    if (done?.err && !isEnd(done.err)) return reject(done.err);
    if (done) return resolve(undefined);
    silent.refresh();
    if (lastOf(entry) !== last) return reject(new Error('an entry of a batch has got lost'));
    last = entry.seq;
    try {
      if (!taken(entry)) resolve(undefined);
    } catch (error) {
      reject(error);
    }
  };
  const reading = direct.getBatch(stream, { seq: from, batch, callback });
  try {
    await Promise.all([reading, promise]);
  } finally {
    clearTimeout(silent);
    await reading.then(
      (messages) => messages.stop(),
      () => undefined,
    );
  }
}

/** Whether there is nothing from this revision on. */
const isEnd = (error: Error) => 'code' in error && error.code === 404;

const lastOf = ({ header }: StoredMsg) => Number(header.last('Nats-Last-Sequence'));
