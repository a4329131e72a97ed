import type { Caller } from '@sluice/grants';
import { Html, html, htmlPage, type PageAnswer, type PageCall, type PagesOptions } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import { sessionOf } from '../sessions/sessions.service.ts';
import type { Cookies } from '../sign-in/cookies.ts';
import type { SignInService } from '../sign-in/sign-in.service.ts';
import type { Decision, DeviceSignInService } from './device-sign-in.service.ts';
import { shownCode, userCodeOf } from './user-codes.ts';

interface Parts {
  devices: DeviceSignInService;
  signIns: SignInService;
  cookies: Cookies;
  /** where clients find the first page: links and forms lead there */
  pageUrl: string;
  /** false where that page is another program's: this one leads there */
  hasOwnPage: boolean;
}

/**
 * The page on which a person approves a terminal, with the sign-in that leads to it and back. The code of a sign-in that has begun here
 * is in its cookie: no address to return to comes from outside.
 */
export function devicePages({
  devices,
  signIns,
  cookies,
  pageUrl,
  hasOwnPage,
}: Parts): Pick<PagesOptions, 'routes' | 'refusal'> {
  const base = new URL(pageUrl).pathname;

  const ownRoutes: PagesOptions['routes'] = {
    '/device': { GET: show, POST: decide },
    '/device/sign_in': { POST: beginSignIn },
    '/device/continue': { POST: signIn },
  };
  return {
    routes: hasOwnPage ? ownRoutes : { '/device': { GET: leadOn } },
    refusal: (refused: Problem) =>
      htmlPage(
        'This did not work',
        html`<p>${sentenceOf(refused)}</p>
          <p><a href="${base}">Begin again</a></p>`,
      ),
  };

  async function show(call: PageCall): Promise<PageAnswer> {
    const { query, cookies: sent } = call;
    const typed = query.get('user_code') ?? cookies.userCodeOf(sent) ?? '';
    const visitor = await call.visitor();
    if (!visitor) return { page: await signInPage(sent, typed) };
    if (typed === '') return { page: codePage() };
    return { page: await terminalPage(call, visitor, typed) };
  }

  async function terminalPage({ address }: PageCall, caller: Caller, typed: string): Promise<string> {
    const { row, userCode, decision } = await devices.find({ caller, address }, typed);
    if (decision !== null) return decidedPage(decision, row.machine);
    const fields = html`${hidden('user_code', userCode)}${hidden('csrf_token', sessionOf(caller).csrfToken)}`;
    return htmlPage(
      'Sign in a terminal',
      html`<p>A terminal asks to be signed in as ${caller.user.name}.</p>
        <dl>
          <dt>Code</dt>
          <dd><strong>${userCode}</strong></dd>
          <dt>Machine, as it calls itself</dt>
          <dd>${row.machine}</dd>
          <dt>Address</dt>
          <dd>${row.address ?? 'unknown'}</dd>
          <dt>Since</dt>
          <dd>${row.created_at.toISOString()}</dd>
        </dl>
        <p>
          Approve it only if you have just begun this yourself and your terminal shows the same code. It can
          do what you can do, until you end its session.
        </p>
        <form method="post" action="${base}">
          ${fields}
          <button name="decision" value="approve">Approve</button>
          <button name="decision" value="deny">Deny</button>
        </form>`,
    );
  }

  async function decide(call: PageCall): Promise<PageAnswer> {
    const { form, address } = call;
    const typed = form.get('user_code') ?? '';
    const decision = decisionOf(form.get('decision'));
    const caller = await call.visitor();
    if (!caller) return { location: addressOf(typed) };
    const { machine } = await devices.decide({ caller, address }, typed, decision);
    return { page: decidedPage(decision, machine) };
  }

  async function beginSignIn({ form }: PageCall): Promise<PageAnswer> {
    const { url, secret } = await signIns.begin(form.get('source') ?? '', { way: 'page' });
    const code = userCodeOf(form.get('user_code') ?? '') ?? '';
    // no redirect: form-action of the page would not let a form lead to another site
    const refresh = html`<meta http-equiv="refresh" content="0; url=${url}" />`;
    return {
      page: htmlPage('Sign in', html`<p><a href="${url}">Go on to your identity provider</a></p>`, refresh),
      cookies: [cookies.signIn(secret, code)],
    };
  }

  async function signIn({ cookies: sent, stranger }: PageCall): Promise<PageAnswer> {
    const code = cookies.userCodeOf(sent) ?? '';
    const { token } = await signIns.signIn(await stranger(), cookies.signInOf(sent));
    return { location: addressOf(code), cookies: [cookies.session(token), cookies.signIn(null)] };
  }

  async function signInPage(sent: PageCall['cookies'], typed: string): Promise<string> {
    const pending =
      cookies.userCodeOf(sent) === undefined ? undefined : await signIns.pending(cookies.signInOf(sent));
    if (pending) {
      const who = [pending.name, pending.email].filter((text) => text !== null).join(', ');
      return htmlPage(
        'Sign in',
        html`<form method="post" action="${base}/continue"><button>Continue as ${who}</button></form>`,
      );
    }
    if (signIns.sources.length === 0)
      return htmlPage(
        'Sign in',
        html`<p>This installation has no identity provider: sign the terminal in with an API key.</p>`,
      );
    const buttons = signIns.sources.map(
      ({ source, title }) =>
        html`<p><button name="source" value="${source}">Sign in with ${title}</button></p>`,
    );
    return htmlPage(
      'Sign in',
      html`<p>Sign in to approve a terminal.</p>
        <form method="post" action="${base}/sign_in">${hidden('user_code', typed)}${buttons}</form>`,
    );
  }

  function codePage(): string {
    return htmlPage(
      'Sign in a terminal',
      html`<form method="get" action="${base}">
        <p><label for="code">The code that the terminal shows</label></p>
        <p><input id="code" name="user_code" required autofocus autocomplete="off" maxlength="40" /></p>
        <button>Continue</button>
      </form>`,
    );
  }

  function addressOf(typed: string): string {
    const code = userCodeOf(typed);
    return code === undefined ? base : `${base}?user_code=${shownCode(code)}`;
  }

  /** An older client may know this address only. */
  async function leadOn({ query }: PageCall): Promise<PageAnswer> {
    const code = userCodeOf(query.get('user_code') ?? '');
    const location = new URL(pageUrl);
    if (code !== undefined) location.searchParams.set('user_code', shownCode(code));
    return { location: location.href };
  }
}

/** The problem's own text is for programs here. */
const sentenceOf = ({ code, message }: Problem): string =>
  code === 'csrf_token_invalid' ? 'The page is of another session, or is too old.' : message;

const decidedPage = (decision: Decision, machine: string): string =>
  decision === 'approve'
    ? htmlPage('The terminal is signed in', html`<p>${machine} is signed in. You can close this page.</p>`)
    : htmlPage(
        'The terminal was refused',
        html`<p>${machine} is not signed in. You can close this page.</p>`,
      );

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

function decisionOf(text: string | undefined): Decision {
  if (text === 'approve' || text === 'deny') return text;
  throw problem('malformed_request', { detail: 'The form has to say whether to approve or to deny.' });
}
