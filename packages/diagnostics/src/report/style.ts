/** The style of reports: no script, nothing from elsewhere, light or dark as the reader has it, black on white on paper. */
export const style = `
:root { color-scheme: light dark;
  --paper: #f7f7f5; --card: #ffffff; --ink: #1b1e23; --soft: #59616c; --edge: #dcdfe3; --link: #1f5fbf;
  --critical: #b3261e; --critical-soft: #fcebea; --warning: #875600; --warning-soft: #fdf3dc;
  --ok: #17693b; --ok-soft: #e6f4ea; --unknown: #59616c; --unknown-soft: #eceef0; --other: #9a5b00; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #121419; --card: #1b1e25; --ink: #e8eaee; --soft: #a3abb7; --edge: #333844; --link: #8ab4f8;
  --critical: #ff9b92; --critical-soft: #3b1d1c; --warning: #f3c55b; --warning-soft: #362a10;
  --ok: #84d8a4; --ok-soft: #16301f; --unknown: #a3abb7; --unknown-soft: #282c34; --other: #f0b45c; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif; }
main, header, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2.25rem; }
h1 { font-size: clamp(1.6rem, 4vw, 2.4rem); line-height: 1.2; margin: .5rem 0 .75rem; letter-spacing: -.01em; text-wrap: balance; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1.05rem; margin: 0; line-height: 1.35; }
p { margin: .25rem 0; }
a { color: var(--link); }
.soft, .eyebrow { color: var(--soft); }
.eyebrow { font-size: .9rem; }
.verdict { border-left: .5rem solid var(--tone); background: var(--tone-soft); border-radius: .5rem; padding: 1.1rem 1.5rem 1.2rem; }
.verdict .word { color: var(--tone); font-weight: 700; text-transform: uppercase; letter-spacing: .08em; font-size: .85rem; }
.lead { font-size: 1.1rem; max-width: 75ch; margin: -.2rem 0 .4rem; }
.tally { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: .9rem 0 0; padding: 0; }
.critical { --tone: var(--critical); --tone-soft: var(--critical-soft); }
.warning { --tone: var(--warning); --tone-soft: var(--warning-soft); }
.ok { --tone: var(--ok); --tone-soft: var(--ok-soft); }
.unknown { --tone: var(--unknown); --tone-soft: var(--unknown-soft); }
.mark { display: inline-flex; align-items: center; gap: .35rem; color: var(--tone); background: var(--tone-soft); border: 1px solid var(--tone);
  border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem; font-weight: 600; white-space: nowrap; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 1rem 0 0; font-size: .95rem; }
.card { background: var(--card); border: 1px solid var(--edge); border-left: .35rem solid var(--tone); border-radius: .5rem;
  padding: 1rem 1.25rem; margin: 0 0 1rem; break-inside: avoid; }
.card h3 { display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: baseline; }
.card dl { margin: .6rem 0 0; display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
.card dt { color: var(--soft); }
.card dd { margin: 0; max-width: 70ch; }
.card .do { font-weight: 600; }
.figures { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: .88rem; color: var(--soft); margin: .6rem 0 0; padding: 0; list-style: none; }
.figures b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
figure { margin: 0; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; padding: .75rem .9rem .4rem; break-inside: avoid; }
figcaption { display: flex; flex-direction: column; font-size: .85rem; min-height: 3.4rem; color: var(--soft); font-variant-numeric: tabular-nums; }
figcaption strong { color: var(--ink); font-size: .95rem; }
.line-1 { color: var(--other); }
svg { width: 100%; height: auto; display: block; }
svg text { font-size: 10px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--edge); stroke-width: 1; }
.area { fill: var(--link); opacity: .13; }
.curve-0, .curve-1 { fill: none; stroke-width: 1.6; stroke-linejoin: round; stroke: var(--link); }
.curve-1 { stroke: var(--other); stroke-dasharray: 4 2; }
.dot-0 { fill: var(--link); } .dot-1 { fill: var(--other); }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; overflow: hidden; margin: 0 0 1.25rem; font-size: .95rem; }
caption { text-align: left; font-weight: 600; padding: .35rem 0; }
th, td { text-align: left; vertical-align: top; padding: .6rem .9rem; border-top: 1px solid var(--edge); }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: .8rem; font-weight: 600; border-top: 0; }
tr { break-inside: avoid; }
td:first-child { width: 8rem; } tbody th { width: 15rem; } td:last-child { width: 40%; color: var(--soft); font-size: .88rem; }
pre { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; padding: .9rem 1rem; margin: 0 0 1rem; overflow: auto; max-height: 26rem;
  font: .82rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
footer { color: var(--soft); font-size: .88rem; padding-top: 1rem; padding-bottom: 3rem; }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (max-width: 44rem) {
  main, header, footer { padding-left: 1rem; padding-right: 1rem; }
  header { padding-top: 1rem; }
  .verdict { padding: .9rem 1rem 1rem; }
  .card { padding: .9rem 1rem; }
  .card dl { grid-template-columns: 1fr; gap: 0; } .card dd { margin-bottom: .45rem; }
  table, tbody, tr, td, tbody th { display: block; width: auto !important; }
  thead { position: absolute; clip-path: inset(50%); }
  tr { border-top: 1px solid var(--edge); padding: .7rem 0; } tr:first-child { border-top: 0; }
  td, tbody th { border: 0; padding: .1rem 1rem; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --ink: #000; --soft: #444; --edge: #bbb; --link: #1f5fbf;
    --critical: #b3261e; --critical-soft: #fff; --warning: #7a4d00; --warning-soft: #fff; --ok: #17693b; --ok-soft: #fff; --unknown: #444; --unknown-soft: #fff; --other: #9a5b00; }
  @page { margin: 14mm; }
  body { font-size: 10pt; }
  main, header, footer { max-width: none; padding: 0; }
  nav { display: none; }
  h2, h3, caption { break-after: avoid; }
  .charts { grid-template-columns: repeat(3, 1fr); gap: .6rem; }
  pre { max-height: none; overflow: visible; font-size: 7.5pt; }
  .area { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .verdict, .card { border-top: 1px solid var(--edge); border-right: 1px solid var(--edge); border-bottom: 1px solid var(--edge); }
}
`;
