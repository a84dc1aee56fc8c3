import { inLanguage } from '../../model/core/in-language.js';
import type { ValueFault } from '../../model/placed/placed-values.js';

type LimitRule = 'max_length' | 'decimals' | 'min' | 'max';

/** The texts about fields that a party fills in, in one language. */
export interface PlacedTexts {
  /** What the party does in a field that has no prompt of its own. */
  marks: Record<'signature' | 'initials' | 'date', string>;
  /** The first entry of a drop-down list. */
  pickOne: string;
  /** Behind the prompt of a field that need not be filled in. */
  optional: string;
  /** Behind the prompt of a field whose value the sender chose. */
  fixed: string;
  /** Behind the prompt of a field whose value follows from others. */
  calculated: string;
  /** For readers whose browser runs no scripts. */
  conditional: string;
  faults: Record<Exclude<ValueFault['rule'], 'number' | 'date' | LimitRule> | 'tick' | 'choose', string>;
  /** Of a value that breaks a limit. */
  limits: Record<LimitRule, (limit: string) => string>;
  /** With an example of what can be read. */
  examples: Record<'number' | 'date', (example: string) => string>;
  unfitting: string;
  unprintable: string;
}

const EN: PlacedTexts = {
  marks: { signature: 'Sign here', initials: 'Initials', date: 'Date' },
  pickOne: 'Please choose',
  optional: 'optional',
  fixed: 'filled in by the sender',
  calculated: 'calculated',
  conditional: 'Some of these fields may not apply to you, depending on what you fill in. Those are left out when you sign.',
  faults: {
    required: 'fill this in.',
    tick: 'tick this box.',
    choose: 'choose one.',
    option: 'choose one of the options.',
    size: 'is too large a number.',
    pattern: 'does not have the form that is asked for.',
    email: 'enter an e-mail address, such as name@example.com.',
  },
  limits: {
    max_length: (limit) => `at most ${limit} characters are possible.`,
    decimals: (limit) => `at most ${limit} digits after the decimal point are possible.`,
    min: (limit) => `must not be less than ${limit}.`,
    max: (limit) => `must not be more than ${limit}.`,
  },
  examples: {
    number: (example) => `enter a number, such as ${example}.`,
    date: (example) => `enter a date, such as ${example}.`,
  },
  unfitting: 'is too long to be readable in its box on the document. Please shorten it.',
  unprintable: 'has characters that cannot be printed.',
};

const DE: PlacedTexts = {
  marks: { signature: 'Hier unterschreiben', initials: 'Initialen', date: 'Datum' },
  pickOne: 'Bitte wählen',
  optional: 'freiwillig',
  fixed: 'vom Absender ausgefüllt',
  calculated: 'wird berechnet',
  conditional: 'Je nach Ihren Angaben gelten einige dieser Felder nicht für Sie. Sie werden weggelassen, wenn Sie unterschreiben.',
  faults: {
    required: 'bitte ausfüllen.',
    tick: 'bitte ankreuzen.',
    choose: 'bitte wählen.',
    option: 'bitte eine der Möglichkeiten wählen.',
    size: 'ist als Zahl zu groß.',
    pattern: 'hat nicht die verlangte Form.',
    email: 'bitte eine E-Mail-Adresse eingeben, zum Beispiel name@example.com.',
  },
  limits: {
    max_length: (limit) => `höchstens ${limit} Zeichen sind möglich.`,
    decimals: (limit) => `höchstens ${limit} Stellen nach dem Komma sind möglich.`,
    min: (limit) => `darf nicht unter ${limit} liegen.`,
    max: (limit) => `darf nicht über ${limit} liegen.`,
  },
  examples: {
    number: (example) => `bitte eine Zahl eingeben, zum Beispiel ${example}.`,
    date: (example) => `bitte ein Datum eingeben, zum Beispiel ${example}.`,
  },
  unfitting: 'ist zu lang, um in seinem Feld auf dem Dokument lesbar zu sein. Bitte kürzen.',
  unprintable: 'enthält Zeichen, die nicht gedruckt werden können.',
};

const FR: PlacedTexts = {
  marks: { signature: 'Signer ici', initials: 'Initiales', date: 'Date' },
  pickOne: 'Veuillez choisir',
  optional: 'facultatif',
  fixed: 'rempli par l’expéditeur',
  calculated: 'calculé',
  conditional: 'Selon ce que vous saisissez, certains de ces champs ne vous concernent pas. Ils sont omis lorsque vous signez.',
  faults: {
    required: 'à remplir.',
    tick: 'à cocher.',
    choose: 'à choisir.',
    option: 'choisissez l’une des options.',
    size: 'est un nombre trop grand.',
    pattern: 'n’a pas la forme demandée.',
    email: 'saisissez une adresse e-mail, par exemple nom@example.com.',
  },
  limits: {
    max_length: (limit) => `${limit} caractères au plus sont possibles.`,
    decimals: (limit) => `${limit} chiffres au plus sont possibles après la virgule.`,
    min: (limit) => `ne doit pas être inférieur à ${limit}.`,
    max: (limit) => `ne doit pas dépasser ${limit}.`,
  },
  examples: {
    number: (example) => `saisissez un nombre, par exemple ${example}.`,
    date: (example) => `saisissez une date, par exemple ${example}.`,
  },
  unfitting: 'est trop long pour rester lisible dans son cadre sur le document. Veuillez l’abréger.',
  unprintable: 'contient des caractères qui ne peuvent pas être imprimés.',
};

const ES: PlacedTexts = {
  marks: { signature: 'Firme aquí', initials: 'Iniciales', date: 'Fecha' },
  pickOne: 'Elija, por favor',
  optional: 'opcional',
  fixed: 'rellenado por el remitente',
  calculated: 'se calcula',
  conditional: 'Según lo que rellene, algunos de estos campos no se aplican a usted. Se omiten cuando firma.',
  faults: {
    required: 'rellene este campo.',
    tick: 'marque esta casilla.',
    choose: 'elija una opción.',
    option: 'elija una de las opciones.',
    size: 'es un número demasiado grande.',
    pattern: 'no tiene la forma que se pide.',
    email: 'escriba una dirección de correo, por ejemplo nombre@example.com.',
  },
  limits: {
    max_length: (limit) => `son posibles ${limit} caracteres como máximo.`,
    decimals: (limit) => `son posibles ${limit} cifras decimales como máximo.`,
    min: (limit) => `no debe ser menor que ${limit}.`,
    max: (limit) => `no debe ser mayor que ${limit}.`,
  },
  examples: {
    number: (example) => `escriba un número, por ejemplo ${example}.`,
    date: (example) => `escriba una fecha, por ejemplo ${example}.`,
  },
  unfitting: 'es demasiado largo para leerse en su recuadro del documento. Acórtelo, por favor.',
  unprintable: 'contiene caracteres que no se pueden imprimir.',
};

export const placedTextsIn = inLanguage<PlacedTexts>({ en: EN, de: DE, fr: FR, es: ES });
