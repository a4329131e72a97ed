export interface SentEvent {
  event: string;
  data: Record<string, unknown>;
}

export interface Followed {
  response: Response;
  /** the last id that has come, as an event source keeps it */
  readonly lastId: string | undefined;
  leave(): void;
  /** the next event; undefined at the end */
  next(): Promise<SentEvent | undefined>;
  /** all until its end */
  rest(): Promise<SentEvent[]>;
}

/** Follows server-sent events as a client does, once the answer has begun. */
export async function follow(url: string, headers: Record<string, string>): Promise<Followed> {
  const left = new AbortController();
  const response = await fetch(url, { headers, signal: left.signal });
  let lastId: string | undefined;
  const events = response.body && eventsOf(response.body, (id) => (lastId = id));
  const next = async () => (await events?.next())?.value;
  return {
    response,
    get lastId() {
      return lastId;
    },
    leave: () => left.abort(),
    next,
    async rest() {
      const all: SentEvent[] = [];
      for (let event = await next(); event; event = await next()) all.push(event);
      return all;
    },
  };
}

async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  took: (id: string) => void,
): AsyncGenerator<SentEvent, undefined> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += String(chunk);
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, id] = /^id: (.*)$/m.exec(block) ?? [];
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (id !== undefined) took(id);
      if (event !== undefined) yield { event, data: JSON.parse(data ?? '{}') as SentEvent['data'] };
    }
  }
  return undefined;
}
