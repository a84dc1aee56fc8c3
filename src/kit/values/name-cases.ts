/** `invalid_cursor` as `InvalidCursor`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `WebhookEndpoint`: "webhook_endpoint"; `inviteeId`: "invitee_id". */
export function snakeCase(name: string): string {
  return name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}
