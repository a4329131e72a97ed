import { Box, Text, useInput } from 'ink';
import { createElement as element, useEffect, useState, type ReactNode } from 'react';
import { cut } from '@sluice/terminal/table';
import { visible } from '@sluice/terminal/escape';
import type { Feed } from './feed.ts';
import { arranged, detailsOf, headersOf, layoutFor, rowLine, statusOf, type Row } from './rows.ts';

export interface Size {
  columns: number;
  rows: number;
}

interface ScreenProps {
  feed: Feed;
  size: () => Size;
  /** Calls when there is something new, or the terminal has another size. @returns how to end that */
  subscribe: (changed: () => void) => () => void;
  quit: () => void;
  interrupt: () => void;
}

/** lines of a title, of headers, and of the keys */
const frameLines = 3;
const mostDetails = 6;
/** below this height there are no details */
const roomy = 14;

export function Screen({ feed, size, subscribe, quit, interrupt }: ScreenProps): ReactNode {
  const [, redraw] = useState(0);
  const [selectedId, select] = useState<number>();
  const [sortedBy, sortBy] = useState(0);
  const [filter, setFilter] = useState('');
  const [isTyping, type] = useState(false);
  useEffect(() => subscribe(() => redraw((count) => count + 1)), []);

  // a full screen of lines would be cleared with every frame
  const { columns, rows: height } = size();
  const lines = Math.max(frameLines + 1, height - 1);
  const layout = layoutFor(columns);
  const column = sortedBy % layout.columns.length;
  const rows = arranged(feed.rows(), { filter, sortedBy: column, layout });
  const selected = Math.max(
    0,
    rows.findIndex(({ deployment }) => deployment.id === selectedId),
  );
  const chosen = rows[selected];
  const details = chosen && height >= roomy ? detailsOf(chosen, columns).slice(0, mostDetails) : [];
  const room = Math.max(1, lines - frameLines - (details.length > 0 ? details.length + 1 : 0));
  const top = Math.min(Math.max(0, selected - Math.floor(room / 2)), Math.max(0, rows.length - room));
  const shown = rows.slice(top, top + room);
  useEffect(() => feed.prefer(shown.map(({ deployment }) => deployment.id)));

  const moveTo = (position: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, position))];
    if (row) select(row.deployment.id);
  };
  useInput((input, key) => {
    if (key.ctrl && input === 'c') return interrupt();
    if (isTyping) {
      if (key.return) return type(false);
      if (key.escape) return void (type(false), setFilter(''));
      if (key.backspace || key.delete) return setFilter((text) => text.slice(0, -1));
      if (!key.ctrl && !key.meta) setFilter((text) => `${text}${input}`);
      return;
    }
    if (input === 'q') quit();
    else if (input === '/') type(true);
    else if (input === 's') sortBy((column + 1) % layout.columns.length);
    else if (key.escape) setFilter('');
    else if (key.downArrow || input === 'j') moveTo(selected + 1);
    else if (key.upArrow || input === 'k') moveTo(selected - 1);
    else if (key.pageDown) moveTo(selected + room);
    else if (key.pageUp) moveTo(selected - room);
    else if (key.home || input === 'g') moveTo(0);
    else if (key.end || input === 'G') moveTo(rows.length - 1);
  });

  const line = (text: string, style: Style = {}, id: string | number = text) =>
    element(Text, { key: id, wrap: 'truncate', ...style }, text === '' ? ' ' : text);
  return element(
    Box,
    { flexDirection: 'column' },
    line(titleOf(rows.length, feed, columns), { bold: true }, 'title'),
    line(headersOf(layout, column), { dimColor: true }, 'headers'),
    ...shown.map((row, position) =>
      line(
        rowLine(row, layout),
        { ...colourOf(row), inverse: top + position === selected },
        row.deployment.id,
      ),
    ),
    ...(details.length > 0 ? [line('─'.repeat(columns), { dimColor: true }, 'rule')] : []),
    ...details.map((text, position) => line(text, {}, `detail ${position}`)),
    line(footerOf({ isTyping, filter, problem: feed.problem() }, columns), { dimColor: true }, 'keys'),
  );
}

type Style = { bold?: boolean; dimColor?: boolean; inverse?: boolean; color?: string };

function titleOf(count: number, feed: Feed, width: number): string {
  const all = feed.rows().length;
  const of = count === all ? '' : ` of ${all}`;
  return cut(`${count}${of} deployment${count === 1 && of === '' ? '' : 's'}  ${time()}`, width);
}

const time = () => new Date().toISOString().slice(11, 19);

function colourOf(row: Row): Style {
  const status = statusOf(row);
  if (status === 'failed') return { color: 'red' };
  if (status === 'initialized') {
    const isWell = row.live?.nodes.every((node) => node.status === 'healthy') ?? true;
    return isWell ? {} : { color: 'yellow' };
  }
  return status === 'stopped' ? { dimColor: true } : { color: 'cyan' };
}

function footerOf(
  { isTyping, filter, problem }: { isTyping: boolean; filter: string; problem: string | undefined },
  width: number,
): string {
  const sought = isTyping || filter !== '' ? `/${filter}${isTyping ? '_' : ''}  ` : '';
  return cut(visible(`${sought}${problem ?? 'q quit  j k select  s sort  / filter'}`), width);
}
