import type { CustomFetch } from 'openid-client';

/** The provider does not answer, or not as one that works. */
export class ProviderUnavailable extends Error {}

const defaultLimits = { milliseconds: 10_000, bytes: 256 * 1024 };

/**
 * How a provider is asked: with limits of time and size, and following no redirects, as the addresses are its own word.
 * @returns a fetch of JSON that rejects with `ProviderUnavailable`
 */
export function providerFetch(limits = defaultLimits): CustomFetch {
  return async (url, { method, headers, body = null }) => {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(limits.milliseconds),
    }).catch(unanswered);
    const { status } = response;
    // its metadata and its keys: every provider that works gives them without credentials
    const isPublic = method === 'GET' && headers['authorization'] === undefined;
    if (status >= 500 || (isPublic && status !== 200))
      throw new ProviderUnavailable(`the provider answers ${status}`);
    const text = await textOf(response, limits.bytes);
    if (!isJson(text)) throw new ProviderUnavailable('the provider answers no JSON');
    return new Response(text, { status, headers: response.headers });
  };
}

async function textOf(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > most) break;
    }
  } catch {
    unanswered();
  }
  if (bytes > most) throw new ProviderUnavailable('the provider answers without end');
  return Buffer.concat(chunks).toString();
}

function unanswered(): never {
  throw new ProviderUnavailable('no answer');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
