import type { ReactNode, Ref } from 'react';
import {
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  SearchField as AriaSearchField,
  Switch as AriaSwitch,
  Text,
  TextArea,
  TextField as AriaTextField,
  type CheckboxProps as AriaCheckboxProps,
  type SwitchProps as AriaSwitchProps,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components';
import { cx } from '../lib/cx.ts';
import { CheckIcon, SearchIcon } from './icons.tsx';
import styles from './field.module.css';

export interface FieldLook {
  label: string;
  /** what to know before it is filled in */
  description?: ReactNode;
  /** what is wrong with it */
  error?: string | undefined;
}

/** Label above, description and error below. */
export function FieldFrame({
  label,
  description,
  error,
  isRequired,
  children,
}: FieldLook & { isRequired?: boolean | undefined; children: ReactNode }) {
  return (
    <>
      <Label className={cx(styles.label, isRequired && styles.required)}>{label}</Label>
      {children}
      {description !== undefined && (
        <Text slot="description" className={styles.description ?? ''}>
          {description}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error ?? null}</FieldError>
    </>
  );
}

export interface TextFieldProps
  extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'>, FieldLook {
  placeholder?: string;
  rows?: number;
  isMono?: boolean;
  /** such as a button, at the right of the field */
  beside?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

export function TextField({
  label,
  description,
  error,
  placeholder,
  rows,
  isMono,
  beside,
  inputRef,
  ...props
}: TextFieldProps) {
  const inputClass = cx(styles.input, isMono && styles.mono);
  return (
    <AriaTextField {...props} isInvalid={error !== undefined} className={styles.field ?? ''}>
      <FieldFrame {...{ label, description, error, isRequired: props.isRequired }}>
        <div className={styles.row}>
          <div className={styles.box}>
            {rows === undefined ? (
              <Input
                ref={inputRef ?? null}
                className={inputClass}
                {...(placeholder !== undefined && { placeholder })}
              />
            ) : (
              <TextArea
                rows={rows}
                className={inputClass}
                {...(placeholder !== undefined && { placeholder })}
              />
            )}
          </div>
          {beside}
        </div>
      </FieldFrame>
    </AriaTextField>
  );
}

export function SearchField({
  label,
  inputRef,
  placeholder = label,
  value,
  onChange,
}: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  inputRef?: Ref<HTMLInputElement>;
}) {
  return (
    <AriaSearchField aria-label={label} className={styles.field ?? ''} value={value} onChange={onChange}>
      <div className={styles.box}>
        <span className={styles.lead}>
          <SearchIcon />
        </span>
        <Input ref={inputRef ?? null} className={styles.input ?? ''} placeholder={placeholder} />
      </div>
    </AriaSearchField>
  );
}

type CheckProps = Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> & { children?: ReactNode };

export function Checkbox({ children, ...props }: CheckProps) {
  return (
    <AriaCheckbox {...props} className={styles.check ?? ''}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.tick}>
            {isIndeterminate ? <span aria-hidden>–</span> : isSelected && <CheckIcon />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}

export function Switch({
  children,
  ...props
}: Omit<AriaSwitchProps, 'className' | 'style' | 'children'> & { children: ReactNode }) {
  return (
    <AriaSwitch {...props} className={styles.check ?? ''}>
      <span className={styles.track} />
      {children}
    </AriaSwitch>
  );
}
