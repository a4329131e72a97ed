import { isMailAddress } from '@sluice/contracts';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';

const local = fc.stringMatching(/^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}$/);
const domain = fc.stringMatching(/^([a-z0-9-]{1,10}\.){1,3}[a-z0-9-]{2,10}$/);

test('every address that is accepted anywhere is mailed to, as it is', async () => {
  const mailer = createTransport({ streamTransport: true, buffer: true });
  const property = fc.asyncProperty(local, domain, async (name, host) => {
    const address = `${name}@${host}`;
    fc.pre(isMailAddress(address));
    const { envelope } = await mailer.sendMail({
      from: 'no-reply@sluice.example',
      to: { name: '', address },
      text: 'hello',
    });
    expect(envelope).toMatchObject({ to: [address] });
  });
  await fc.assert(property, { numRuns: 300 });
});
