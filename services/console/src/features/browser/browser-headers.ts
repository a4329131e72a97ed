import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** for what is no document of the console: it runs nothing, wherever a browser shows it */
const inertPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const unused =
  'accelerometer, autoplay, camera, display-capture, encrypted-media, geolocation, gyroscope, hid, idle-detection, local-fonts, magnetometer, microphone, midi, payment, picture-in-picture, publickey-credentials-get, screen-wake-lock, serial, usb, xr-spatial-tracking';

/** of a document: nothing else of an origin can use what a browser offers */
export const permissionsPolicy = unused
  .split(', ')
  .map((feature) => `${feature}=()`)
  .join(', ');

/**
 * The headers of all answers of the console. Documents replace the policy by their own.
 * @param origin whether browsers come by HTTPS: only then they are asked to do nothing else
 */
export function browserHeaders(origin: URL): [name: string, value: string][] {
  const headers: [string, string][] = [];
  const protect = helmet({
    contentSecurityPolicy: false,
    strictTransportSecurity: origin.protocol === 'https:' && { maxAge: 31_536_000, includeSubDomains: false },
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  const collect = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  protect({} as IncomingMessage, collect as unknown as ServerResponse, () => undefined);
  return [...headers, ['Content-Security-Policy', inertPolicy]];
}
