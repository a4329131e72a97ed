import { RecordingServer } from './http-server.ts';

/** What this server does about a document, in place of taking it. */
export type Refusal = { status: number; type: string; reason: string } | null;

/**
 * Answers bulk requests as Elasticsearch and OpenSearch do: documents by index and id, one outcome for each in order, 409 for a `create`
 * of one that is there. The whole servers are too heavy for tests; the answers are in their form.
 */
export class BulkServer extends RecordingServer {
  /** by index and id */
  readonly documents = new Map<string, unknown>();
  refuse: (document: unknown) => Refusal = () => null;

  work(): void {
    this.documents.clear();
    this.refuse = () => null;
    this.answer = ({ body }, response) => {
      const lines = body.split('\n').slice(0, -1);
      const items = lines.flatMap((line, place) =>
        place % 2 === 0 ? [this.#take(line, lines[place + 1])] : [],
      );
      const errors = items.some(({ outcome }) => 'error' in outcome);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ errors, items: items.map(({ kind, outcome }) => ({ [kind]: outcome })) }),
      );
    };
  }

  #take(actionLine: string, documentLine = '') {
    const action = JSON.parse(actionLine) as Record<string, { _index: string; _id: string }>;
    const [[kind, about] = ['', { _index: '', _id: '' }]] = Object.entries(action);
    const key = `${about._index}/${about._id}`;
    const document: unknown = JSON.parse(documentLine);
    const refusal = this.refuse(document);
    const there = kind === 'create' && this.documents.has(key);
    const conflict = {
      status: 409,
      type: 'version_conflict_engine_exception',
      reason: 'document already exists',
    };
    const failure = refusal ?? (there ? conflict : null);
    if (failure) {
      const { status, type, reason } = failure;
      return { kind, outcome: { ...about, status, error: { type, reason } } };
    }
    this.documents.set(key, document);
    return { kind, outcome: { ...about, status: 201 } };
  }
}
