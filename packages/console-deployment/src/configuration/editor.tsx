import { useState } from 'react';
import type { Config, ConfigSchema } from '@sluice/client';
import { SluiceError } from '@sluice/client';
import { valuesOf, valuesText, type ConfigValues } from '@sluice/console-core/lib/config-values.ts';
import { useAllowed } from '@sluice/console-core/parts/allowed.tsx';
import { Button } from '@sluice/ui/button.tsx';
import { CodeEditor } from '@sluice/ui/code.tsx';
import { Note } from '@sluice/ui/feedback.tsx';
import layout from '@sluice/ui/layout.module.css';
import { useDeployment } from '../deployment-context.ts';
import { ConfigForm } from './form.tsx';
import { manageAction } from './kinds.ts';
import { SaveDialog } from './save-dialog.tsx';
import styles from './configuration.module.css';

interface ConfigEditorProps {
  kind: string;
  schema: ConfigSchema;
  /** what is changed; undefined for the first configuration of the kind */
  base: Config | undefined;
  view: 'form' | 'json';
  /** the newest version of the same name */
  newest: Config | undefined;
  onSaved: (saved: Config) => void;
}

/** Changes values as a form or as JSON, and stores them as a new version once the difference was looked at. */
export function ConfigEditor({ kind, schema, base, view, newest, onSaved }: ConfigEditorProps) {
  const { place } = useDeployment();
  const before = base?.values ?? {};
  const [values, setValues] = useState<ConfigValues>(before);
  const [text, setText] = useState<string>();
  const [errors, setErrors] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSaving, setSaving] = useState(false);
  const { reason } = useAllowed(manageAction(kind, 'create'), place);
  const broken = view === 'json' && text !== undefined ? problemOf(text) : undefined;
  const isChanged = JSON.stringify(values) !== JSON.stringify(before);
  return (
    <>
      {base && newest && newest.version > base.version && (
        <Note>
          This is version {base.version}. The newest one is {newest.version}.
        </Note>
      )}
      {view === 'json' ? (
        <CodeEditor
          label="Values as JSON"
          language="json"
          value={text ?? valuesText(values)}
          onChange={(next) => {
            setText(next);
            if (problemOf(next) === undefined) setValues(valuesOf(next));
          }}
        />
      ) : (
        <ConfigForm
          kind={kind}
          schema={schema}
          values={values}
          errors={errors}
          onChange={(next) => {
            setValues(next);
            setText(undefined);
          }}
        />
      )}
      <div className={styles.foot}>
        <span className={layout.muted}>
          {broken ?? (isChanged ? 'Changes are not stored yet.' : 'Nothing is changed.')}
        </span>
        <span className={layout.spacer} />
        <Button
          isDisabled={!isChanged && broken === undefined}
          onPress={() => {
            setValues(before);
            setText(undefined);
            setErrors(new Map());
          }}
        >
          Take back
        </Button>
        <Button
          kind="primary"
          isDisabled={(!isChanged && base !== undefined) || broken !== undefined}
          disabledReason={reason}
          onPress={() => setSaving(true)}
        >
          Review and store
        </Button>
      </div>
      {isSaving && (
        <SaveDialog
          kind={kind}
          base={base}
          values={values}
          onClose={() => setSaving(false)}
          onRefused={(error) => setErrors(fieldErrors(error))}
          onSaved={(saved) => {
            setSaving(false);
            onSaved(saved);
          }}
        />
      )}
    </>
  );
}

function problemOf(text: string): string | undefined {
  try {
    valuesOf(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const valuesPath = '/body/values/';

/** What the API says of single values, by their paths. */
const fieldErrors = (error: unknown): Map<string, string> =>
  new Map(
    (error instanceof SluiceError ? error.field_issues : [])
      .filter(({ path }) => path.startsWith(valuesPath))
      .map(({ path, message }) => [path.slice(valuesPath.length), message]),
  );
