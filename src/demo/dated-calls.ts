import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DAY_MS, firstIdAt } from '../kit/index.js';
import { newId } from '../kit/internal.js';
import { KeptBodies } from '../platform/request-log/kept-bodies.js';
import { RequestLog } from '../platform/request-log/request-log.js';

const DAYS = 14;
/** Multiples of it, modulo 1, fill the interval evenly, with neighbours far apart. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Above 1, later days have more calls than earlier ones. */
const GROWTH = 1.6;
/** How much of a day moves towards its middle; below 1 / (2 * PI), so that the order stays. */
const DAYTIME = 0.12;

/** Distributes the log's entries of these requests over the last two weeks, with the ids and kept bodies that fit the times. */
export async function dateBack(app: INestApplicationContext, requestIds: readonly string[]): Promise<void> {
  await app.get(RequestLog).flush();
  await app.get(KeptBodies).flush();
  const now = Date.now();
  const times = requestIds.map((_, index) => timeOf(((index + 1) * GOLDEN) % 1, now));
  // lists and counts find entries by the time in their ids
  const ids = times.map((time) => firstIdAt(time).slice(0, 13) + newId().slice(13));
  await app.get(DataSource).query(
    `WITH dated AS (SELECT * FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS d (request_id, id, at)),
       entries AS (UPDATE request_logs l SET id = d.id, created_at = d.at, updated_at = d.at FROM dated d WHERE l.request_id = d.request_id)
     UPDATE request_bodies b SET created_at = d.at FROM dated d WHERE b.request_id = d.request_id`,
    [requestIds, ids, times.map((time) => new Date(time))],
  );
}

/** More often by day than by night, and never in the future. */
function timeOf(fraction: number, now: number): number {
  const time = now - DAYS * DAY_MS * fraction ** GROWTH;
  const ofDay = (time % DAY_MS) / DAY_MS;
  const moved = time + DAY_MS * DAYTIME * Math.sin(2 * Math.PI * (ofDay - 0.04));
  return Math.floor(moved < now ? moved : time);
}
