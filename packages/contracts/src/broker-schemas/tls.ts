/** How clients of each protocol come; `optional` is with TLS or without. */
export interface TlsChoices {
  tcp: 'off' | 'optional' | 'required';
  websocket: 'off' | 'required';
}

/** Values of a configuration, as they travel or as they have been read. */
type Values = Readonly<Record<string, unknown>>;

/**
 * How clients come by the configuration, or where that does not say so, as it is for the deployment. The supervisor, the broker's
 * runtime and the programs that connect to the broker on its node use this alone.
 * @param plainText whether clients of the deployment come without TLS unless a configuration says otherwise
 */
export function tlsChoices(values: Values, plainText: boolean): TlsChoices {
  const otherwise = plainText ? 'off' : 'required';
  return {
    tcp: (values['BROKER_TCP_TLS'] ?? otherwise) as TlsChoices['tcp'],
    websocket: (values['BROKER_WEBSOCKET_TLS'] ?? otherwise) as TlsChoices['websocket'],
  };
}

/** Whether the broker has to have a certificate. */
export function endsTls({ tcp, websocket }: TlsChoices): boolean {
  return tcp !== 'off' || websocket !== 'off';
}
