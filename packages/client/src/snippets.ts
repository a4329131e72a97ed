import type { DeploymentCredentials } from './generated/index.ts';

export type Language = 'node' | 'python' | 'go' | 'java' | 'dotnet' | 'rust';

/** What a client connects to. */
export interface Target {
  url: string;
  isSecure: boolean;
  /** the file with the authority; undefined where clients know it */
  caFile: string | undefined;
  /** undefined: the lines read it from the environment */
  login: Pick<DeploymentCredentials, 'username' | 'password'> | undefined;
}

/** Values are quoted as JSON, which all of these languages read. */
const quoted = (text: string): string => JSON.stringify(text);

/** Lines that connect, by language. */
export function snippets({ url, isSecure, caFile, login }: Target): Record<Language, string> {
  const address = quoted(url);
  const ca = caFile === undefined ? undefined : quoted(caFile);
  const value = (text: string | undefined, variable: string, read: (name: string) => string) =>
    text === undefined ? read(variable) : quoted(text);
  const loginIn = (read: (name: string) => string) => ({
    user: value(login?.username, 'NATS_USER', read),
    password: value(login?.password, 'NATS_PASSWORD', read),
  });
  const lines = (...all: (string | false | undefined)[]) =>
    `${all.filter((line) => typeof line === 'string').join('\n')}\n`;

  const node = loginIn((name) => `process.env.${name}`);
  const python = loginIn((name) => `os.environ["${name}"]`);
  const go = loginIn((name) => `os.Getenv("${name}")`);
  const java = loginIn((name) => `System.getenv("${name}")`);
  const dotnet = loginIn((name) => `Environment.GetEnvironmentVariable("${name}")`);
  const rust = loginIn((name) => `std::env::var("${name}")?`);
  return {
    node: lines(
      '// Node.js: npm install @nats-io/transport-node',
      "import { connect } from '@nats-io/transport-node';",
      'const connection = await connect({',
      `  servers: ${address},`,
      `  user: ${node.user},`,
      `  pass: ${node.password},`,
      isSecure && `  tls: {${ca ? ` caFile: ${ca} ` : ''}},`,
      '});',
    ),
    python: lines(
      '# Python: pip install nats-py',
      `import ${[...(login ? [] : ['os']), ...(isSecure ? ['ssl'] : []), 'nats'].join(', ')}`,
      'connection = await nats.connect(',
      `    ${address},`,
      `    user=${python.user},`,
      `    password=${python.password},`,
      isSecure && `    tls=ssl.create_default_context(${ca ? `cafile=${ca}` : ''}),`,
      ')',
    ),
    go: lines(
      '// Go: go get github.com/nats-io/nats.go',
      `connection, err := nats.Connect(${address},`,
      `	nats.UserInfo(${go.user}, ${go.password}),`,
      ca && `	nats.RootCAs(${ca}),`,
      ')',
    ),
    java: lines(
      '// Java: io.nats:jnats',
      ...(ca
        ? [
            'KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());',
            'trusted.load(null);',
            `try (InputStream file = new FileInputStream(${ca})) {`,
            '  for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(file))',
            '    trusted.setCertificateEntry(one.toString(), one);',
            '}',
            'TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());',
            'managers.init(trusted);',
            'SSLContext tls = SSLContext.getInstance("TLS");',
            'tls.init(null, managers.getTrustManagers(), null);',
          ]
        : []),
      'Connection connection = Nats.connect(new Options.Builder()',
      `    .server(${address})`,
      `    .userInfo(${java.user}, ${java.password})`,
      ca && '    .sslContext(tls)',
      isSecure && !ca && '    .secure()',
      '    .build());',
    ),
    dotnet: lines(
      '// .NET: dotnet add package NATS.Net',
      'await using var client = new NatsClient(new NatsOpts',
      '{',
      `    Url = ${address},`,
      '    AuthOpts = new NatsAuthOpts',
      '    {',
      `        Username = ${dotnet.user},`,
      `        Password = ${dotnet.password},`,
      '    },',
      isSecure && `    TlsOpts = new NatsTlsOpts { Mode = TlsMode.Require${ca ? `, CaFile = ${ca}` : ''} },`,
      '});',
    ),
    rust: lines(
      '// Rust: cargo add async-nats',
      'let client = async_nats::ConnectOptions::new()',
      `    .user_and_password(${rust.user}.into(), ${rust.password}.into())`,
      isSecure && '    .require_tls(true)',
      ca && `    .add_root_certificates(${ca}.into())`,
      `    .connect(${address})`,
      '    .await?;',
    ),
  };
}

/** Lines for a shell; the nats tool reads these variables as well. */
export function environmentLines({ url, caFile, login }: Target): string {
  const variables = {
    NATS_URL: url,
    NATS_CA: caFile,
    NATS_USER: login?.username,
    NATS_PASSWORD: login?.password,
  };
  return Object.entries(variables)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `export ${name}='${value?.replaceAll("'", `'\\''`)}'\n`)
    .join('');
}

/** Lines for a shell with the program of this product: they connect, publish and listen. `place` is a deployment as commands take it. */
export function commandLines({ place, caFile }: { place: string; caFile: string | undefined }): string {
  const word = /^[\w@%+=:,./-]+$/.test(place) ? place : `'${place.replaceAll("'", String.raw`'\''`)}'`;
  return [
    ...(caFile === undefined ? [] : [`sluice connect ${word} --ca-file ${caFile}`]),
    `sluice sub '>' --deployment ${word}`,
    `sluice pub hello 'Hello' --no-ack --deployment ${word}`,
    '',
  ].join('\n');
}
