/** What happened to a document from when it was sent until all parties had signed. */
export interface HistoryEvent {
  kind:
    | 'sent'
    | 'copied'
    | 'invited'
    | 'opened'
    | 'opened_last'
    | 'reminded'
    | 'undelivered'
    | 'passed_on'
    | 'replaced'
    | 'signed'
    | 'completed';
  /** RFC 3339, UTC. */
  at: string;
  /** The person whom it concerns, as "name (address)"; for `sent` who sent it, or null. */
  who: string | null;
  /** For `passed_on` and `replaced` the next person; for `opened` and `signed` the address of the visitor. */
  by?: string | null;
  /** For `opened`. */
  browser?: string | null;
}

type Wording = Record<HistoryEvent['kind'], (who: string, by: string) => string> & { heading: string };

const WORDING: Readonly<Record<string, Wording>> = {
  en: {
    heading: 'History',
    sent: (who) => (who === '' ? 'Sent' : `Sent by ${who}`),
    copied: (who) => `A copy to read was mailed to ${who}`,
    invited: (who) => `${who} was asked to sign`,
    opened: (who, by) => `${who} opened the document for the first time${by}`,
    opened_last: (who) => `${who} last opened the document before signing`,
    reminded: (who) => `${who} was reminded`,
    undelivered: (who) => `A mail to ${who} could not be delivered`,
    passed_on: (who, by) => `${who} passed the document on to ${by}`,
    replaced: (who, by) => `The organization asked ${by} instead of ${who}`,
    signed: (who, by) => `${who} signed${by}`,
    completed: (who) => `${who} is to receive the signed document`,
  },
  de: {
    heading: 'Verlauf',
    sent: (who) => (who === '' ? 'Gesendet' : `Gesendet von ${who}`),
    copied: (who) => `Eine Kopie zum Lesen ging an ${who}`,
    invited: (who) => `${who} wurde um die Unterschrift gebeten`,
    opened: (who, by) => `${who} hat das Dokument zum ersten Mal geöffnet${by}`,
    opened_last: (who) => `${who} hat das Dokument vor der Unterschrift zuletzt geöffnet`,
    reminded: (who) => `${who} wurde erinnert`,
    undelivered: (who) => `Eine Mail an ${who} konnte nicht zugestellt werden`,
    passed_on: (who, by) => `${who} hat das Dokument an ${by} weitergegeben`,
    replaced: (who, by) => `Die Organisation hat statt ${who} ${by} gebeten`,
    signed: (who, by) => `${who} hat unterschrieben${by}`,
    completed: (who) => `${who} soll das unterschriebene Dokument erhalten`,
  },
  fr: {
    heading: 'Historique',
    sent: (who) => (who === '' ? 'Envoyé' : `Envoyé par ${who}`),
    copied: (who) => `Une copie à lire a été envoyée à ${who}`,
    invited: (who) => `${who} a été invité à signer`,
    opened: (who, by) => `${who} a ouvert le document pour la première fois${by}`,
    opened_last: (who) => `${who} a ouvert le document une dernière fois avant de signer`,
    reminded: (who) => `${who} a reçu un rappel`,
    undelivered: (who) => `Un courriel à ${who} n’a pas pu être distribué`,
    passed_on: (who, by) => `${who} a transmis le document à ${by}`,
    replaced: (who, by) => `L’organisation a invité ${by} à la place de ${who}`,
    signed: (who, by) => `${who} a signé${by}`,
    completed: (who) => `${who} doit recevoir le document signé`,
  },
  es: {
    heading: 'Historial',
    sent: (who) => (who === '' ? 'Enviado' : `Enviado por ${who}`),
    copied: (who) => `Se envió una copia para leer a ${who}`,
    invited: (who) => `Se pidió a ${who} que firmara`,
    opened: (who, by) => `${who} abrió el documento por primera vez${by}`,
    opened_last: (who) => `${who} abrió el documento por última vez antes de firmar`,
    reminded: (who) => `${who} recibió un recordatorio`,
    undelivered: (who) => `No se pudo entregar un correo a ${who}`,
    passed_on: (who, by) => `${who} pasó el documento a ${by}`,
    replaced: (who, by) => `La organización pidió a ${by} en lugar de ${who}`,
    signed: (who, by) => `${who} firmó${by}`,
    completed: (who) => `${who} debe recibir el documento firmado`,
  },
};

const LONGEST_BROWSER = 120;

/** The heading of the history, and its lines as text beside the times. */
export function historyLines(language: string, events: readonly HistoryEvent[]): { heading: string; lines: [at: string, text: string][] } {
  const words = WORDING[language.split('-')[0]] ?? WORDING.en;
  return {
    heading: words.heading,
    lines: events.map((event) => [event.at, words[event.kind](event.who ?? '', sideOf(event)).replace(/\s+/g, ' ')]),
  };
}

function sideOf({ kind, by, browser }: HistoryEvent): string {
  if (kind !== 'opened' && kind !== 'signed') return by ?? '';
  const parts = [by ?? '', shortened(browser ?? '')].filter((part) => part !== '');
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function shortened(browser: string): string {
  return browser.length > LONGEST_BROWSER ? `${browser.slice(0, LONGEST_BROWSER)}…` : browser;
}
