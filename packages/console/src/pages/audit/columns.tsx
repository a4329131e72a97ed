import type { AuditEntry } from '@sluice/client';
import { Time } from '@sluice/ui/data.tsx';
import type { Column } from '@sluice/ui/table-model.ts';
import layout from '@sluice/ui/layout.module.css';
import { authorOf, placeOf } from './entries.ts';

/** What can be shown of each entry. The log has one order. */
export const columns: readonly Column<AuditEntry>[] = [
  { id: 'time', title: 'When', isFixed: true, cell: ({ timestamp }) => <Time at={timestamp} /> },
  {
    id: 'name',
    title: 'What',
    isFixed: true,
    cell: ({ name }) => <span className={layout.name}>{name}</span>,
  },
  { id: 'author', title: 'Who', cell: authorOf },
  {
    id: 'place',
    title: 'Where',
    wideOnly: true,
    cell: (entry) => <span className={layout.muted}>{placeOf(entry) || 'The organization'}</span>,
  },
  { id: 'user', title: 'Whom', isHiddenAtFirst: true, cell: ({ user }) => user?.name ?? '–' },
  { id: 'type', title: 'Type', isHiddenAtFirst: true, cell: ({ type }) => <code>{type}</code> },
];
