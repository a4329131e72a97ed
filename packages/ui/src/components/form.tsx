import { useState, type ReactNode } from 'react';
import {
  Controller,
  type Control,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import { SluiceError } from '@sluice/client';
import { fieldOf, isChangedMeanwhile } from '../lib/problems.ts';
import { Button } from './button.tsx';
import { Diff } from './code.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './feedback.tsx';
import { TextField, type TextFieldProps } from './field.tsx';
import overlay from './overlay.module.css';

/**
 * Puts the issues of a problem at the fields of a form.
 * @returns whether all of the problem is shown there; if not, show it with `ErrorNote` as well
 */
function showIssues<Values extends FieldValues>(form: UseFormReturn<Values>, error: unknown): boolean {
  if (!(error instanceof SluiceError) || error.field_issues.length === 0) return false;
  const names = Object.keys(form.getValues());
  let isAll = true;
  for (const issue of error.field_issues) {
    const field = fieldOf(issue);
    if (field !== undefined && names.includes(field.split('.')[0] ?? ''))
      form.setError(field as FieldPath<Values>, { message: issue.message });
    else isAll = false;
  }
  return isAll;
}

interface FormTextProps<Values extends FieldValues> extends Omit<
  TextFieldProps,
  'error' | 'value' | 'onChange' | 'name'
> {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** shown when it is required and empty */
  requiredMessage?: string;
}

/** A text field of a form. */
export function FormText<Values extends FieldValues>({
  control,
  name,
  requiredMessage = 'This is needed.',
  ...props
}: FormTextProps<Values>) {
  return (
    <Controller
      control={control}
      name={name}
      rules={props.isRequired ? { required: requiredMessage } : {}}
      render={({ field: { value, onChange, onBlur, ref }, fieldState: { error } }) => (
        <TextField
          {...props}
          validationBehavior="aria"
          value={value ?? ''}
          onChange={onChange}
          onBlur={onBlur}
          inputRef={ref}
          error={error?.message}
        />
      )}
    />
  );
}

interface FormProps<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  onSubmit: (values: Values) => Promise<void>;
  /** the button, in the imperative */
  action: string;
  children: ReactNode;
  /** beside the button */
  beside?: ReactNode;
  disabledReason?: ReactNode;
}

/** A form that sends its values. Issues of the API go to their fields, everything else that it refuses stands above the button. */
export function Form<Values extends FieldValues>({
  form,
  onSubmit,
  action,
  children,
  beside,
  disabledReason,
}: FormProps<Values>) {
  const { isSubmitting } = form.formState;
  const [thrown, setThrown] = useState<unknown>();
  const submit = form.handleSubmit(async (values) => {
    setThrown(undefined);
    try {
      await onSubmit(values);
    } catch (error) {
      if (!showIssues(form, error)) setThrown(error);
    }
  });
  return (
    <form className={overlay.body} noValidate onSubmit={(event) => void submit(event)}>
      {children}
      {thrown !== undefined && !isChangedMeanwhile(thrown) && <ErrorNote error={thrown} />}
      <div className={overlay.buttons}>
        {beside}
        <Button type="submit" kind="primary" isPending={isSubmitting} disabledReason={disabledReason}>
          {action}
        </Button>
      </div>
    </form>
  );
}

interface ChangedProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** the object as it is now */
  theirs: unknown;
  /** what would be sent */
  mine: unknown;
  onKeepTheirs: () => void;
  onSendMine: () => void;
}

/** After 412: the object has changed since it was read. Shows both versions, and lets the person decide. */
export function ChangedMeanwhile({ theirs, mine, onKeepTheirs, onSendMine, ...dialog }: ChangedProps) {
  const text = (value: unknown) => JSON.stringify(value, null, 2);
  return (
    <Dialog
      {...dialog}
      title="It has changed meanwhile"
      wide
      buttons={() => (
        <>
          <Button onPress={onKeepTheirs}>Take the version on the server</Button>
          <Button kind="primary" onPress={onSendMine}>
            Send mine
          </Button>
        </>
      )}
    >
      <p>Another person or program has changed it since this page read it. Lines of yours are marked.</p>
      <Diff label="Their version and yours" before={text(theirs)} after={text(mine)} language="json" />
    </Dialog>
  );
}
