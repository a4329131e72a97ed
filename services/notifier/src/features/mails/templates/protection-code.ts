import { moment, quoted } from '../../../wording.ts';
import { mailTemplate, note, paragraph } from '../mail-template.ts';

/** To the tenant's address: the code that deleting a protected resource needs. */
export const protectionCode = mailTemplate(
  'protection_code',
  ({ tenant, kind, name, code, valid_minutes }, asked) => {
    const what = `the ${kind} ${quoted(name)}`;
    const owner = kind === 'tenant' ? '' : ` of the tenant ${quoted(tenant)}`;
    // a mail that comes late has to say so: the code's time began when it was asked for
    const end = moment(new Date(asked.getTime() + valid_minutes * 60_000));
    return {
      subject: `Code to delete ${what}`,
      parts: [
        paragraph(
          `A deletion of ${what}${owner} was requested. It is protected: deleting it needs this code.`,
        ),
        { kind: 'code', code },
        paragraph(`The code works once, for this deletion only, until ${end}.`),
        note('If none of you wants to delete it, do nothing: without the code it stays as it is.'),
      ],
    };
  },
);
