import type { ReactNode } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import { cx } from '../lib/cx.ts';
import { FieldFrame, type FieldLook } from './field.tsx';
import { CheckIcon, ChevronIcon } from './icons.tsx';
import fieldStyles from './field.module.css';
import overlay from './overlay.module.css';

export interface Option<Key extends string = string> {
  key: Key;
  label: string;
  note?: ReactNode;
  /** why it cannot be chosen */
  disabledReason?: string;
}

interface ChoiceProps<Key extends string> extends FieldLook {
  options: readonly Option<Key>[];
  value: Key | null;
  onChange: (value: Key | null) => void;
  isRequired?: boolean;
  isDisabled?: boolean;
  placeholder?: string;
  name?: string;
  /** the label is for screen readers only, in toolbars */
  hideLabel?: boolean;
}

const disabledKeys = (options: readonly Option[]) =>
  options.flatMap(({ key, disabledReason }) => (disabledReason === undefined ? [] : [key]));

function Options({ options }: { options: readonly Option[] }) {
  return (
    <ListBox
      className={fieldStyles.list ?? ''}
      renderEmptyState={() => <p className={overlay.group}>Nothing fits.</p>}
    >
      {options.map(({ key, label, note, disabledReason }) => (
        <ListBoxItem key={key} id={key} textValue={label} className={overlay.item ?? ''}>
          {({ isSelected }) => (
            <>
              <span className={overlay.check}>{isSelected && <CheckIcon />}</span>
              <span>{label}</span>
              {(disabledReason ?? note) !== undefined && (
                <span className={overlay.itemNote}>{disabledReason ?? note}</span>
              )}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}

/** One of few options. */
export function Select<Key extends string>({
  options,
  value,
  onChange,
  label,
  description,
  error,
  hideLabel,
  placeholder = 'Choose',
  isRequired,
  ...props
}: ChoiceProps<Key>) {
  const control = (
    <Button className={cx(fieldStyles.box, fieldStyles.select)}>
      <SelectValue>
        {({ selectedText }) =>
          selectedText === null || selectedText === '' ? (
            <span className={fieldStyles.placeholder}>{placeholder}</span>
          ) : (
            selectedText
          )
        }
      </SelectValue>
      <ChevronIcon />
    </Button>
  );
  return (
    <AriaSelect
      {...props}
      {...(hideLabel && { 'aria-label': label })}
      isInvalid={error !== undefined}
      className={fieldStyles.field ?? ''}
      value={value}
      onChange={(key) => onChange(key as Key | null)}
      disabledKeys={disabledKeys(options)}
    >
      {hideLabel ? (
        control
      ) : (
        <FieldFrame {...{ label, description, error, isRequired }}>{control}</FieldFrame>
      )}
      <Popover className={overlay.popover ?? ''} offset={4}>
        <Options options={options} />
      </Popover>
    </AriaSelect>
  );
}

/** One of many options, found by typing. */
export function ComboBox<Key extends string>({
  options,
  value,
  onChange,
  label,
  description,
  error,
  placeholder,
  hideLabel,
  isRequired,
  ...props
}: ChoiceProps<Key>) {
  const control = (
    <div className={fieldStyles.box}>
      <Input className={fieldStyles.input ?? ''} {...(placeholder !== undefined && { placeholder })} />
      <Button className={fieldStyles.open ?? ''} aria-label={`Show options of ${label}`}>
        <ChevronIcon />
      </Button>
    </div>
  );
  return (
    <AriaComboBox
      {...props}
      {...(hideLabel && { 'aria-label': label })}
      isInvalid={error !== undefined}
      className={fieldStyles.field ?? ''}
      value={value}
      onChange={(key) => onChange(key as Key | null)}
      disabledKeys={disabledKeys(options)}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      {hideLabel ? (
        control
      ) : (
        <FieldFrame {...{ label, description, error, isRequired }}>{control}</FieldFrame>
      )}
      <Popover className={overlay.popover ?? ''} offset={4}>
        <Options options={options} />
      </Popover>
    </AriaComboBox>
  );
}
