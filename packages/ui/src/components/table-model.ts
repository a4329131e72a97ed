import type { ReactNode } from 'react';
import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  type ColumnDef,
} from '@tanstack/react-table';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** by what the column is sorted; without it, it is not */
  sortBy?: (row: Row) => string | number;
  align?: 'end';
  /** not shown where there is little room */
  wideOnly?: boolean;
  /** cannot be hidden, as what names the row */
  isFixed?: boolean;
  /** hidden until the person chooses it */
  isHiddenAtFirst?: boolean;
}

export interface Sorting {
  column: string;
  descending: boolean;
}

export const features = tableFeatures({
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

/** Columns as TanStack Table has them. */
export const definitions = <Row extends object>(
  columns: readonly Column<Row>[],
): ColumnDef<typeof features, Row>[] =>
  columns.map(({ id, title, sortBy, isFixed }) => ({
    id,
    header: title,
    accessorFn: (row: Row) => sortBy?.(row) ?? '',
    enableSorting: sortBy !== undefined,
    enableHiding: !isFixed,
    sortFn: 'alphanumeric' as const,
  }));

/** The index that a key moves to; undefined for other keys. */
export function nextRow(key: string, current: number, count: number): number | undefined {
  const moves: Record<string, number> = {
    j: current + 1,
    ArrowDown: current + 1,
    k: current - 1,
    ArrowUp: current - 1,
    Home: 0,
    End: count - 1,
    PageDown: current + 10,
    PageUp: current - 10,
  };
  const next = moves[key];
  return next === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, next));
}
