/** The other side does not answer, or not as one that works. */
export class ProviderAway extends Error {}

const timeoutMilliseconds = 10_000;
const largestAnswer = 256 * 1024;

/**
 * Asks a provider for JSON. Follows no redirects: the addresses are the provider's own word.
 * @returns status and body of any answer below 500
 * @throws ProviderAway
 */
export async function fetchJson(
  url: string,
  request: { method?: string; headers?: Record<string, string>; body?: URLSearchParams } = {},
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(url, {
      ...request,
      headers: { accept: 'application/json', ...request.headers },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status >= 500) throw new ProviderAway(`the provider answers ${response.status}`);
    const text = await response.text();
    if (text.length > largestAnswer) throw new ProviderAway('the provider answers without end');
    return { status: response.status, body: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof ProviderAway) throw error;
    throw new ProviderAway(error instanceof SyntaxError ? 'the provider answers no JSON' : 'no answer');
  }
}
