import { moment, quoted } from '../../../wording.ts';
import { mailTemplate, note, paragraph } from '../mail-template.ts';

/** To a person: another identity provider can sign them in from now on. */
export const providerLinked = mailTemplate('provider_linked', ({ name, source, url }, linked) => ({
  subject: `${quoted(source)} can sign you in to Sluice now`,
  parts: [
    paragraph(
      `The identity provider ${quoted(source)} was linked with the account of ${name} on Sluice on ` +
        `${moment(linked)}. A person whom it identifies as you can sign in as you.`,
    ),
    { kind: 'action', label: 'Look at the account', url },
    note(
      'If that was not you, unlink the provider, end all other sessions, and tell the operator of this installation.',
    ),
  ],
}));
