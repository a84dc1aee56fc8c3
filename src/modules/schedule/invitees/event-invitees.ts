import { Injectable } from '@nestjs/common';
import { CommonErrors, own, sql, table, type Ctx, type Tx } from '../../../kit/index.js';
import { Invitations } from '../invitations/invitations.service.js';
import type { ScheduleEvent } from '../model/records/event.entity.js';
import { Invitee } from '../model/records/invitee.entity.js';
import { Reminders } from '../reminders/reminders.service.js';
import type { NewInviteeDto } from './invitees.dto.js';

const MOST_INVITEES = 200;

export interface Invited {
  event: ScheduleEvent;
  /** In the order of the request. */
  invitees: { invitee: Invitee; isNew: boolean }[];
}

/** Writes the invitees of an event and sends them invitations. The event's row must be locked. */
@Injectable()
export class EventInvitees {
  constructor(
    private readonly invitations: Invitations,
    private readonly reminders: Reminders,
  ) {}

  /** People who were already invited are not changed. */
  async invite(ctx: Ctx, tx: Tx, event: ScheduleEvent, people: readonly NewInviteeDto[]): Promise<Invited> {
    const known = new Map((await tx.list(Invitee, { event_id: event.id })).map((invitee) => [key(invitee.email), invitee]));
    const fresh = new Map(people.filter(({ email }) => !known.has(key(email))).map((person) => [key(person.email), person]));
    if (known.size + fresh.size > MOST_INVITEES)
      throw CommonErrors.validationFailed({ param: 'invitees', message: `an event has at most ${MOST_INVITEES} invitees` });
    const added = await Promise.all(
      [...fresh.values()].map(({ email, name = null, role = 'required' }) =>
        tx.insert(Invitee, { project_id: event.project_id, event_id: event.id, email, name, role }),
      ),
    );
    if (added.length === 0) return { event, invitees: inOrder(people, known, []) };
    const changed = await tx.update(event, { invitee_count: known.size + added.length });
    await this.reminders.plan(tx, changed);
    const invited = await this.invitations.invite(ctx, tx, changed, added);
    // no caller has seen the rows before their invitations
    const ids = invited.map(({ id }) => id);
    await tx.sql(sql`UPDATE ${table(Invitee)} i SET version = 1 WHERE ${own('i')} AND i.id = ANY (${ids})`);
    for (const invitee of invited) invitee.version = 1;
    return { event: changed, invitees: inOrder(people, known, invited) };
  }

  /** Removes a person from the event and notifies them, unless they were already notified of its cancellation. */
  async remove(ctx: Ctx, tx: Tx, event: ScheduleEvent, invitee: Invitee): Promise<ScheduleEvent> {
    const changed = await tx.update(event, { invitee_count: event.invitee_count - 1, sequence: event.sequence + 1 });
    if (event.status !== 'cancelled') await this.invitations.announceCancellation(ctx, tx, changed, { invitees: [invitee] });
    await tx.delete(invitee);
    return changed;
  }

  /** The invitees of a series that is split are invited to the part that continues it. */
  async copy(ctx: Ctx, tx: Tx, from: ScheduleEvent, to: ScheduleEvent): Promise<ScheduleEvent> {
    const people = await tx.list(Invitee, { event_id: from.id });
    if (people.length === 0) return to;
    return (await this.invite(ctx, tx, to, people)).event;
  }
}

function key(email: string): string {
  return email.toLowerCase();
}

function inOrder(people: readonly NewInviteeDto[], known: ReadonlyMap<string, Invitee>, added: readonly Invitee[]): Invited['invitees'] {
  const fresh = new Map(added.map((invitee) => [key(invitee.email), invitee]));
  const seen = new Set<string>();
  return people.flatMap(({ email }) => {
    if (seen.has(key(email))) return [];
    seen.add(key(email));
    const invitee = fresh.get(key(email)) ?? known.get(key(email));
    return invitee ? { invitee, isNew: fresh.has(key(email)) } : [];
  });
}
