/** The login of `url` as plugins get it. Servers of tests have no TLS. */
export function postgresConfig(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    ...{ host: hostname, port: Number(port), username, password: decodeURIComponent(password) },
    database: pathname.slice(1),
    tls: 'disable',
  };
}
