import type { SnapshotCheck } from '@sluice/contracts';
import type { Findings } from '../findings.ts';
import { chartsOf } from './charts.ts';
import { moment } from './figures.ts';
import { Html, html } from './html.ts';
import { style } from './style.ts';

type Status = SnapshotCheck['status'];

const words: Record<Status, { sign: string; word: string; many: string }> = {
  critical: { sign: '✕', word: 'Broken', many: 'broken' },
  warning: { sign: '!', word: 'Warning', many: 'to watch' },
  ok: { sign: '✓', word: 'Fine', many: 'fine' },
  unknown: { sign: '?', word: 'Not checked', many: 'not checked' },
};
const statuses = ['critical', 'warning', 'unknown', 'ok'] as const;

/** One HTML page about a node, complete in itself: what is broken comes first. All that was reported is escaped. */
export function renderReport(findings: Findings): string {
  const { deployment, node, checks, seen } = findings;
  const of = (status: Status) => checks.filter((check) => check.status === status);
  const charts = chartsOf(seen?.series ?? []);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${deployment.name}, ${node.name}: ${verdictOf(checks).sentence}</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        ${header(findings, charts.length > 0)}
        <main>
          ${cards('broken', 'What is broken', of('critical'))}
          ${cards('warnings', 'What to watch', of('warning'))}
          ${
            charts.length > 0 &&
            html`<section aria-labelledby="charts">
              <h2 id="charts">Until now</h2>
              <div class="charts">${charts}</div>
            </section>`
          }
          <section aria-labelledby="checks">
            <h2 id="checks">All checks</h2>
            ${groupsOf(checks).map(([group, members]) => table(group, members))}
          </section>
          ${texts(findings)}
        </main>
        ${footer(findings)}
      </body>
    </html> `;
  return page.text;
}

function verdictOf(checks: readonly SnapshotCheck[]): { status: Status; sentence: string } {
  const [gravest] = checks;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  if (gravest?.status === 'critical') return { status: 'critical', sentence: gravest.finding };
  if (warnings > 0) {
    const things = warnings === 1 ? 'one thing is' : `${warnings} things are`;
    return { status: 'warning', sentence: `Nothing is broken; ${things} worth a look.` };
  }
  if (checks.every(({ status }) => status === 'unknown'))
    return { status: 'unknown', sentence: 'Nothing could be checked.' };
  return { status: 'ok', sentence: 'Nothing is wrong with this node.' };
}

function header(
  { deployment, node, created_at, checks, seen, excerpts }: Findings,
  hasCharts: boolean,
): Html {
  const { status, sentence } = verdictOf(checks);
  const count = (of: Status) => checks.filter((check) => check.status === of).length;
  // the first sentence says what it is, the others why
  const [, headline = sentence, more = ''] = /^(.+?[.!?])\s+(?=[A-Z])(.+)$/s.exec(sentence) ?? [];
  const { word } = words[status];
  const links = [
    count('critical') > 0 && html`<li><a href="#broken">What is broken</a></li>`,
    count('warning') > 0 && html`<li><a href="#warnings">What to watch</a></li>`,
    hasCharts && html`<li><a href="#charts">Charts</a></li>`,
    html`<li><a href="#checks">All checks</a></li>`,
    (excerpts.length > 0 || (seen?.lines.length ?? 0) > 0) &&
      html`<li><a href="#texts">Logs and configuration</a></li>`,
  ];
  return html`<header>
    <div class="verdict ${status}">
      <p class="eyebrow">
        ${deployment.name} · ${node.name} · ${deployment.cloud} ${deployment.region} · tier
        ${deployment.tier}<br />
        ${moment(created_at)}
      </p>
      <h1><span class="word">${word}</span><br />${headline}</h1>
      ${more && html`<p class="lead">${more}</p>`}
      <ul class="tally">
        ${statuses
          .filter((one) => count(one) > 0)
          .map((one) => html`<li>${mark(one, `${count(one)} ${words[one].many}`)}</li>`)}
      </ul>
    </div>
    <nav aria-label="Contents">
      <ul>
        ${links}
      </ul>
    </nav>
  </header>`;
}

const mark = (status: Status, text: string = words[status].word) =>
  html`<span class="mark ${status}"><span aria-hidden="true">${words[status].sign}</span>${text}</span>`;

function cards(id: string, title: string, checks: readonly SnapshotCheck[]): Html | false {
  if (checks.length === 0) return false;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    ${checks.map(
      ({ status, group, title: name, finding, meaning, action, details }) =>
        html`<article class="card ${status}">
          <h3>${mark(status)} ${finding}</h3>
          <p class="soft">${group}: ${name}</p>
          <dl>
            <dt>What it means</dt>
            <dd>${meaning}</dd>
            <dt>What to do</dt>
            <dd class="do">${action ?? 'Nothing.'}</dd>
          </dl>
          ${figures(details)}
        </article>`,
    )}
  </section>`;
}

const figures = (details: SnapshotCheck['details']) =>
  details.length > 0 &&
  html`<ul class="figures">
    ${details.map(({ name, value }) => html`<li>${name}: <b>${value}</b></li>`)}
  </ul>`;

/** Groups in which something is wrong come first: they have the gravest checks. */
const groupsOf = (checks: readonly SnapshotCheck[]): [string, SnapshotCheck[]][] => [
  ...Map.groupBy(checks, ({ group }) => group),
];

const table = (group: string, checks: readonly SnapshotCheck[]): Html =>
  html`<table>
    <caption>
      ${group}
    </caption>
    <thead>
      <tr>
        <th scope="col">Result</th>
        <th scope="col">Check</th>
        <th scope="col">Finding</th>
        <th scope="col">What it means, what to do</th>
      </tr>
    </thead>
    <tbody>
      ${checks.map(
        ({ status, title, finding, meaning, action, details }) =>
          html`<tr>
            <td>${mark(status)}</td>
            <th scope="row">${title}</th>
            <td>${finding}${figures(details)}</td>
            <td>${meaning} ${action !== null && html`<strong>${action}</strong>`}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;

function texts({ excerpts, seen }: Findings): Html | false {
  const lines = seen?.lines ?? [];
  if (excerpts.length === 0 && lines.length === 0) return false;
  const troubles = lines.map(({ at, runtime, level, message }) => `${at} ${runtime} ${level}: ${message}`);
  const shown = [
    ...(lines.length > 0 ? [{ title: 'Newest warnings and errors', text: troubles.join('\n') }] : []),
    ...excerpts,
  ];
  return html`<section aria-labelledby="texts">
    <h2 id="texts">Logs and configuration</h2>
    ${shown.map(
      ({ title, text }) =>
        html`<h3>${title}</h3>
          <pre tabindex="0" aria-label="${title}">${text}</pre>`,
    )}
  </section>`;
}

const archives = {
  wanted: '',
  complete: 'What the broker stores is in broker-data.zip beside this report, with its messages.',
  withheld: 'What the broker stores is left out: it is for who holds deployment:credentials:read.',
  failed: 'The node has not sent the ZIP of what the broker stores in time.',
};

const footer = ({ examined, secrets_redacted, checks, seen, archive }: Findings): Html =>
  html`<footer>
    <p>
      ${checks.length} checks.
      ${examined && html`The node was examined at ${moment(examined.at)}, in ${(examined.milliseconds / 1_000).toFixed(1)} s.`}
      ${seen?.agent_version && html`Its agent is ${seen.agent_version}.`}
      ${
        secrets_redacted
          ? 'What looks like a secret was taken out of all texts.'
          : 'Logins and keys were taken out of all texts; what else looks like a secret was left in them.'
      }
      ${archive && archives[archive.status]}
    </p>
  </footer>`;
