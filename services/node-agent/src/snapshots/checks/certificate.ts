import { X509Certificate } from 'node:crypto';
import { checksOf, critical, detail, ok, warning } from '../check.ts';
import { duration } from '../figures.ts';

const dayMilliseconds = 86_400_000;

export const certificateChecks = checksOf('Certificate', {
  certificate_end: {
    title: 'End of the certificate',
    meaning: 'From its end on no client trusts the broker.',
    run({ wanted: { broker }, clockOffset }) {
      if (!broker.tls) return ok('The broker has no certificate: clients come without TLS.');
      const { validToDate, validFromDate } = new X509Certificate(broker.tls.certificate);
      const now = Date.now() + clockOffset;
      const left = validToDate.getTime() - now;
      const details = [
        detail('valid from', validFromDate.toISOString()),
        detail('valid to', validToDate.toISOString()),
      ];
      const action = 'Rotate the certificate; if that fails, the deployment says why.';
      if (left <= 0)
        return critical('The certificate has ended: no client trusts the broker.', action, details);
      if (validFromDate.getTime() > now)
        return critical('The certificate is not valid yet.', action, details);
      const finding = `The certificate is valid for another ${duration(left / 1_000)}.`;
      return left < 7 * dayMilliseconds ? warning(finding, action, details) : ok(finding, details);
    },
  },
  certificate_name: {
    title: 'Name of the certificate',
    meaning: 'Clients compare the name that they connect to with those of the certificate.',
    run({ wanted: { broker } }) {
      if (!broker.tls) return ok('The broker has no certificate.');
      const { certificate, server_name } = broker.tls;
      const { subjectAltName = '' } = new X509Certificate(certificate);
      const details = [detail('names', subjectAltName.slice(0, 190))];
      return new X509Certificate(certificate).checkHost(server_name) === undefined
        ? critical(`The certificate is not for ${server_name}.`, 'Rotate the certificate.', details)
        : ok(`The certificate is for ${server_name}.`, details);
    },
  },
  certificate_clock: {
    title: 'Certificate by the clock of the machine',
    meaning: 'Programs of this machine, connectors among them, judge certificates by its own clock.',
    run({ wanted: { broker } }) {
      if (!broker.tls) return ok('The broker has no certificate.');
      const { validToDate, validFromDate } = new X509Certificate(broker.tls.certificate);
      return validFromDate.getTime() > Date.now() || validToDate.getTime() < Date.now()
        ? critical(
            'By the clock of the machine the certificate is not valid.',
            'Have the machine set its clock by NTP.',
          )
        : ok('By the clock of the machine it is valid, too.');
    },
  },
});
