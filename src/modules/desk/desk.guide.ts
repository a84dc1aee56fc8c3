/** The module's guide for agents. */
export const DESK_GUIDE = `
The service desk answers people who ask for help. A ticket is one request, with messages from its requester and from agents.

The usual order of calls:
1. get_desk_context for ids: projects, statuses, queues, agents, views and canned responses in one call. Use only ids that calls return.
2. list_tickets with status_category unsolved. sort sla_due_at shows what is due first; sla_due_before with the present time shows what
   is overdue. Before creating a ticket, search its requester's with requester_email.
3. get_ticket and list_ticket_messages before answering. get_ticket_attachment reads a file.
4. reply_to_ticket answers: the requester gets a mail. Send status_id with it, pending to wait for the requester or solved, which needs
   an assignee. add_ticket_note is for colleagues and never mailed. For files, call upload_ticket_attachment first and send the ids in
   attachment_ids; the copies show the requester and each other's addresses.
5. update_ticket for assignee, queue, priority, tags, status and snoozing; merge_ticket moves the messages of a duplicate into the
   ticket that stays, into_id.

A ticket's status has a category: new, open, pending (the requester must act), on_hold (somebody else must act), solved, closed. It
never becomes new again. Solved tickets close after some days; closed ones are read-only. When the requester writes, a pending,
on_hold or solved ticket becomes open again, and a closed one is followed up by a new ticket.

sla says until when a first response, the next response and the solution are due; sla_due_at is the earliest of them. Clocks pause
while a ticket is pending, not while it is snoozed.

Statuses, queues, agents, SLA policies and mailboxes are set up by members, not by keys. Send an idempotency_key with each write, so
that a retry does not repeat it.
`.trim();
