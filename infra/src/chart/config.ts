/** Settings of ConfigMaps that have a value of their own, with its expression; the other settings are the default of `env`. */

type Settings = Readonly<Record<string, string>>;

const common: Settings = {
  BASE_DOMAIN: '$.Values.domain | quote',
  NATS_URL: 'include "sluice.natsUrl" $ | quote',
  NODE_IMAGE: 'include "sluice.image" (list $ "node") | quote',
  TRUSTED_PROXIES: '$.Values.trustedProxies | quote',
};
const ofControlPlane = (key: string, setting: string, service = key): ConfigTemplate => ({
  own: { [setting]: `$.Values.controlPlane.${service}.publicUrl | quote` },
  env: `$.Values.controlPlane.${key}.env`,
});

/** A page of the console, where there is one: without it main-api has its own. */
const page = (path: string) => ({
  condition: '$.Values.controlPlane.console.enabled',
  expression: `print $.Values.controlPlane.console.publicUrl "${path}" | quote`,
});

interface ConfigTemplate {
  own: Settings;
  /** settings that are there only where the condition is true: the setting's expression by it */
  conditional?: Readonly<Record<string, { condition: string; expression: string }>>;
  /** the expression of further settings */
  env: string;
}

/** By the name of the ConfigMap: `.` is the root, and for `region` the values of the region. */
export const configs: Readonly<Record<string, ConfigTemplate>> = {
  installation: {
    own: common,
    conditional: {
      CONSOLE_URL: page(''),
      KUBERNETES_RESOLVERS: { condition: '$.Values.network.nodeLocalDns', expression: '"169.254.20.10"' },
    },
    env: '$.Values.env',
  },
  'main-api': {
    own: {
      AUDIT_URL: '$.Values.controlPlane.audit.publicUrl | quote',
      PUBLIC_URL: '$.Values.controlPlane.mainApi.publicUrl | quote',
    },
    conditional: {
      DEVICE_PAGE_URL: page('/account/device'),
      SIGN_IN_CALLBACK_URL: page('/sign-in/callback'),
    },
    env: '$.Values.controlPlane.mainApi.env',
  },
  audit: ofControlPlane('audit', 'PUBLIC_URL'),
  console: {
    own: {
      PUBLIC_URL: '$.Values.controlPlane.console.publicUrl | quote',
      REGION_ADDRESSES: 'include "sluice.regionAddresses" $ | quote',
    },
    env: '$.Values.controlPlane.console.env',
  },
  notifier: ofControlPlane('notifier', 'MAIN_API_URL', 'mainApi'),
  keys: {
    own: {
      REGIONS: 'include "sluice.regions" $ | quote',
      POSTGRESQL: '$.Values.controlPlane.keys.postgresql | quote',
      DATA_NAMESPACE: '$.Values.controlPlane.keys.dataNamespace | quote',
      UPGRADING: '$.Values.controlPlane.keys.upgrading | quote',
    },
    env: 'dict',
  },
  dumps: { own: {}, env: '$.Values.dumps.env' },
  region: {
    own: {
      CLOUD: '.cloud | quote',
      REGION: '.region | quote',
      PUBLIC_URL: '.publicUrl | quote',
    },
    conditional: {
      AGENT_API_URL: { condition: '.agentApiUrl', expression: '.agentApiUrl | quote' },
      KUBERNETES_NODE_TEMPLATE: {
        condition: '.nodeTemplate',
        expression: '.nodeTemplate | toJson | quote',
      },
    },
    env: '.env',
  },
};

/** A template for the settings of each ConfigMap. */
export const configTemplates = () =>
  Object.entries(configs)
    .map(([name, { own, conditional = {}, env }]) =>
      [
        `{{- define "sluice.config.${name}" -}}`,
        ...Object.entries(own).map(([setting, expression]) => `${setting}: {{ ${expression} }}`),
        ...Object.entries(conditional).flatMap(([setting, { condition, expression }]) => [
          `{{- if ${condition} }}`,
          `${setting}: {{ ${expression} }}`,
          '{{- end }}',
        ]),
        `{{- range $name, $value := ${env} }}`,
        '{{ $name }}: {{ $value | quote }}',
        '{{- end }}',
        '{{- end }}',
        '',
      ].join('\n'),
    )
    .join('\n');

/** The settings of a ConfigMap that are the default of `env`. */
export function envOf(name: string, settings: Settings): Record<string, string> {
  const { own = {}, conditional = {} } = configs[name] ?? {};
  const rest = Object.entries(settings).filter(([setting]) => !(setting in own) && !(setting in conditional));
  return Object.fromEntries(rest);
}
