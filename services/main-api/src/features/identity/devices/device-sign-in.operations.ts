import { done, ok, shown, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import type { DeviceSignInService } from './device-sign-in.service.ts';

/** @param page where people approve, and the name of the code in its query */
export function deviceSignInOperations(devices: DeviceSignInService, pageUrl: string) {
  return {
    async beginDeviceSignIn({ caller, body, address }) {
      const machine = body?.machine ?? 'terminal';
      const { deviceCode, userCode, expiresIn, interval } = await devices.begin(caller, { address, machine });
      const complete = new URL(pageUrl);
      complete.searchParams.set('user_code', userCode);
      return ok({
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: pageUrl,
        verification_uri_complete: complete.href,
        expires_in: expiresIn,
        interval,
      });
    },

    async getDeviceSignIn({ caller, params, address }) {
      const { row, userCode, decision } = await devices.find({ caller, address }, params.user_code);
      const seen = shown(row, 'machine', 'address', 'created_at', 'expires_at');
      return ok({ user_code: userCode, ...seen, decision });
    },

    decideDeviceSignIn: ({ caller, params, body, address }) =>
      done(devices.decide({ caller, address }, params.user_code, body.decision)),

    async pollDeviceSignIn({ body }) {
      const { token, expiresIn } = await devices.poll(body.device_code);
      return ok({ access_token: token, token_type: 'svc-session' as const, expires_in: expiresIn });
    },
  } satisfies Partial<Handlers<operations>>;
}
