import { useState } from 'react';
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import overlay from '@sluice/ui/overlay.module.css';
import { fitting, textOf, usePaletteEntries } from './palette-entries.ts';
import styles from './palette.module.css';

/** Finds pages, actions, deployments and people by typing. */
export function Palette({
  isOpen,
  onOpenChange,
}: {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isDismissable
      className={overlay.backdrop ?? ''}
    >
      <Modal className={overlay.modal ?? ''}>
        <Dialog aria-label="Find" className={styles.dialog ?? ''}>
          {({ close }) => <PaletteContent close={close} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function PaletteContent({ close }: { close: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const [text, setText] = useState('');
  const groups = fitting(usePaletteEntries(), (one) => contains(one, text));
  const open = (key: string) => {
    close();
    groups
      .flatMap(({ entries }) => entries)
      .find((entry) => entry.key === key)
      ?.open();
  };
  return (
    <Autocomplete filter={contains} inputValue={text} onInputChange={setText}>
      <SearchField aria-label="Find" autoFocus>
        <Input
          className={styles.input ?? ''}
          placeholder="Find a page, a deployment, a person or an action"
        />
      </SearchField>
      {/* it scrolls, so keys have to reach it */}
      <div className={styles.results} tabIndex={0} role="region" aria-label="What fits">
        <ListBox
          aria-label="Found"
          className={styles.list ?? ''}
          onAction={(key) => open(String(key))}
          renderEmptyState={() => <p className={overlay.group}>Nothing fits.</p>}
        >
          {groups.map(({ title, entries }) => (
            <ListBoxSection key={title} id={title}>
              <Header className={overlay.group ?? ''}>{title}</Header>
              {entries.map((entry) => (
                <ListBoxItem
                  key={entry.key}
                  id={entry.key}
                  textValue={textOf(entry)}
                  className={overlay.item ?? ''}
                >
                  {entry.icon}
                  {entry.name}
                  {entry.note !== undefined && <span className={overlay.itemNote}>{entry.note}</span>}
                </ListBoxItem>
              ))}
            </ListBoxSection>
          ))}
        </ListBox>
      </div>
    </Autocomplete>
  );
}
