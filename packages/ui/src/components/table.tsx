import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { cx } from '../lib/cx.ts';
import { setPreferences } from '../lib/preferences.ts';
import { usePreferences } from '../lib/use-preferences.ts';
import { Button, IconButton } from './button.tsx';
import { ColumnsIcon } from './icons.tsx';
import { ErrorState, SkeletonLines } from './feedback.tsx';
import { Checkbox } from './field.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { HeaderCell } from './table-head.tsx';
import { DataRow, type RowHandlers } from './table-row.tsx';
import { definitions, features, nextRow, type Column, type Sorting } from './table-model.ts';
import styles from './table.module.css';

export interface DataTableProps<Row extends object> {
  /** by which the choice of columns is kept */
  name: string;
  /** for screen readers */
  label: string;
  rows: readonly Row[] | undefined;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** Enter or a click on a row */
  onOpen?: (row: Row) => void;
  /** the order, where the page keeps it, such as in its address; without it the table keeps its own */
  sorting?: Sorting | undefined;
  /** called with the order that is wanted; the rows then come in it */
  onSort?: (sorting: Sorting) => void;
  selected?: ReadonlySet<string>;
  onSelect?: (selected: Set<string>) => void;
  /** filters and buttons above it */
  toolbar?: ReactNode;
  /** in place of rows when there are none */
  empty: ReactNode;
  error?: unknown;
  onRetry?: () => void;
  /** how many there are, where more rows can be loaded */
  total?: number;
  onMore?: (() => void) | undefined;
  /** within a card, which has the border */
  isBare?: boolean;
}

/** More rows than that are drawn only where they are seen. */
const mostDrawn = 80;
const rowHeight = 36;
const noRows: never[] = [];

/**
 * A list of objects: sorted, selected, with the columns that the person has chosen. `j`, `k`, arrows and Enter work in it. Long lists draw
 * only what is seen.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { name, label, rows, columns, rowKey, onOpen, onSort, sorting, selected, onSelect } = props;
  const { hiddenColumns } = usePreferences();
  const [ownSorting, setOwnSorting] = useState<Sorting | undefined>();
  const [active, setActive] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  const order = sorting ?? ownSorting;
  const hidden = hiddenColumns[name] ?? columns.filter((one) => one.isHiddenAtFirst).map(({ id }) => id);

  const table = useTable({
    features,
    columns: useMemo(() => definitions(columns), [columns]),
    data: rows ?? noRows,
    getRowId: (row) => String(rowKey(row)),
    manualSorting: onSort !== undefined,
    state: {
      sorting: order ? [{ id: order.column, desc: order.descending }] : [],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      rowSelection: Object.fromEntries([...(selected ?? [])].map((id) => [id, true])),
    },
  });
  const shown = table.getRowModel().rows;
  const hiddenNames = hidden.join();
  const visible = useMemo(
    () => columns.filter(({ id }) => !hiddenNames.split(',').includes(id)),
    [columns, hiddenNames],
  );
  const isVirtual = shown.length > mostDrawn;
  const virtualizer = useVirtualizer({
    count: isVirtual ? shown.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const seen = isVirtual ? virtualizer.getVirtualItems().map(({ index }) => index) : [...shown.keys()];
  const before = isVirtual ? (virtualizer.getVirtualItems()[0]?.start ?? 0) : 0;
  const after = isVirtual ? virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0) : 0;

  const current = Math.min(active, Math.max(0, shown.length - 1));
  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    if (isVirtual) virtualizer.scrollToIndex(current);
    scroller.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  }, [current, isVirtual, virtualizer]);

  const lastSeen = seen.at(-1) ?? 0;
  const { onMore } = props;
  useEffect(() => {
    if (isVirtual && lastSeen >= shown.length - 20) onMore?.();
  }, [isVirtual, lastSeen, shown.length, onMore]);

  const move = (to: number) => {
    hasMoved.current = true;
    setActive(to);
  };
  useEffect(() => {
    // the first key leads into the list, wherever the focus was not
    const enter = (event: KeyboardEvent) => {
      const isFree = document.activeElement === document.body || document.activeElement?.id === 'main';
      if (!isFree || !['j', 'k'].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey)
        return;
      scroller.current?.querySelector<HTMLElement>('[data-index][tabindex="0"]')?.focus();
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, []);

  const handlers: RowHandlers<Row> = {
    toggle: (id) => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      onSelect?.(next);
    },
    open: (row) => onOpen?.(row),
    focus: setActive,
    press: (key, id, row) => {
      const next = nextRow(key, current, shown.length);
      if (next !== undefined) move(next);
      else if (key === 'Enter') onOpen?.(row);
      else if ((key === 'x' || key === ' ') && onSelect) handlers.toggle(id);
      else return false;
      return true;
    },
  };
  // rows are drawn anew only where something of their own has changed, and find what is to be called here
  const at = useRef(handlers);
  useEffect(() => {
    at.current = handlers;
  });
  const sort = (column: string) => {
    const descending = order?.column === column && !order.descending;
    (onSort ?? setOwnSorting)({ column, descending });
  };

  const width = visible.length + (onSelect ? 1 : 0);
  return (
    <div className={styles.frame}>
      {(props.toolbar !== undefined || shown.length > 0) && (
        <div className={cx(styles.bar, props.isBare && styles.bareBar)}>
          {props.toolbar}
          {shown.length > 0 && (
            <div className={styles.barEnd}>
              <ColumnChoice {...{ name, columns, hidden }} />
            </div>
          )}
        </div>
      )}
      <div
        ref={scroller}
        className={cx(styles.scroll, props.isBare && styles.bare, isVirtual && styles.virtual)}
      >
        {props.error !== undefined && rows === undefined ? (
          <ErrorState error={props.error} {...(props.onRetry && { onRetry: props.onRetry })} />
        ) : rows === undefined ? (
          <SkeletonLines count={8} />
        ) : shown.length === 0 ? (
          props.empty
        ) : (
          <table
            className={styles.table}
            aria-label={label}
            aria-rowcount={(props.total ?? shown.length) + 1}
          >
            <thead>
              <tr aria-rowindex={1}>
                {onSelect && (
                  <th className={styles.check}>
                    <Checkbox
                      aria-label="Select all"
                      isSelected={selected?.size === shown.length}
                      isIndeterminate={(selected?.size ?? 0) > 0 && selected?.size !== shown.length}
                      onChange={(isAll) => onSelect(new Set(isAll ? shown.map(({ id }) => id) : []))}
                    />
                  </th>
                )}
                {visible.map((column) => (
                  <HeaderCell key={column.id} column={column} order={order} onSort={sort} />
                ))}
              </tr>
            </thead>
            <tbody>
              <Space height={before} width={width} />
              {seen.map((index) => {
                const row = shown[index];
                if (!row) return null;
                return (
                  <DataRow
                    key={row.id}
                    row={row.original}
                    id={row.id}
                    index={index}
                    columns={visible}
                    isCurrent={index === current}
                    isSelected={selected?.has(row.id) ?? false}
                    isSelectable={onSelect !== undefined}
                    isOpenable={onOpen !== undefined}
                    at={at}
                  />
                );
              })}
              <Space height={after} width={width} />
            </tbody>
          </table>
        )}
        {props.onMore && !isVirtual && shown.length > 0 && (
          <div className={styles.rest}>
            <Button size="small" onPress={props.onMore}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** In place of rows that are not drawn. */
const Space = ({ height, width }: { height: number; width: number }) =>
  height > 0 && (
    <tr aria-hidden>
      <td colSpan={width} style={{ height, padding: 0 }} />
    </tr>
  );

function ColumnChoice<Row>({
  name,
  columns,
  hidden,
}: {
  name: string;
  columns: readonly Column<Row>[];
  hidden: readonly string[];
}) {
  const { hiddenColumns } = usePreferences();
  const free = columns.filter(({ isFixed }) => !isFixed);
  const keep = (keys: Set<string>) => {
    const ids = free.map(({ id }) => id).filter((id) => !keys.has(id));
    setPreferences({ hiddenColumns: { ...hiddenColumns, [name]: ids } });
  };
  return (
    <Menu
      trigger={<IconButton label="Columns" icon={<ColumnsIcon />} />}
      aria-label="Columns"
      selectionMode="multiple"
      selectedKeys={free.map(({ id }) => id).filter((id) => !hidden.includes(id))}
      onSelectionChange={(keys) =>
        keep(new Set(keys === 'all' ? free.map(({ id }) => id) : [...keys].map(String)))
      }
    >
      {free.map(({ id, title }) => (
        <MenuItem key={id} id={id}>
          {title}
        </MenuItem>
      ))}
    </Menu>
  );
}
