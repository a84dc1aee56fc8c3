export const MOST_PER_READ = 200;

/** The last settled event of an organization and mode, by the time of SettledEvents. */
export const LAST_SETTLED = `
  SELECT s.sequence FROM outbox_events s WHERE s.organization_id = $1 AND s.mode = $2 AND s.drawn_at < $3::timestamptz
  ORDER BY s.sequence DESC LIMIT 1`;

/**
 * The next events of several places at once, each in the order of the sequence. Events that no stream of the place wants come without a
 * body, so that the place moves past them.
 */
export const NEXT_EVENTS = `
  SELECT place.n, e.sequence, e.project_id, e.type, e.body
  FROM unnest($1::int[], $2::uuid[], $3::text[], $4::bigint[], $5::text[]) AS place(n, organization_id, mode, after, types)
  CROSS JOIN LATERAL (
    SELECT s.sequence FROM outbox_events s
    WHERE s.organization_id = place.organization_id AND s.mode = place.mode AND s.sequence > place.after
      AND s.drawn_at < $6::timestamptz
    ORDER BY s.sequence DESC LIMIT 1
  ) AS last
  CROSS JOIN LATERAL (
    SELECT t.sequence, t.project_id, t.type,
      CASE WHEN NOT t.internal AND webhook_subscribes(string_to_array(place.types, ','), t.type) THEN t.body END AS body
    FROM outbox_events t
    WHERE t.organization_id = place.organization_id AND t.mode = place.mode
      AND t.sequence > place.after AND t.sequence <= last.sequence
    ORDER BY t.sequence
    LIMIT ${MOST_PER_READ}
  ) AS e
  ORDER BY place.n, e.sequence`;

export interface NextEvent {
  n: number;
  sequence: number;
  project_id: string | null;
  type: string;
  body: string | null;
}
