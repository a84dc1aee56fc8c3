/** The headers of a delivery, besides its signature. */
export function headersOf(eventId: string, eventType: string): Record<string, string> {
  return {
    'Svc-Event-Id': eventId,
    'Svc-Event-Type': eventType,
    'User-Agent': 'Svc-Webhooks/1.0',
    'Content-Type': 'application/json; charset=utf-8',
  };
}
