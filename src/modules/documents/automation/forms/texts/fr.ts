import type { FormTexts } from './en.js';

export const FR: FormTexts = {
  rejectedTitle: (title) => `Pas encore envoyé\u00a0: ${title}`,
  sentTitle: (title) => `Envoyé\u00a0: ${title}`,
  notSent: 'Rien n’a encore été envoyé',
  thanks: 'Merci. Vos réponses nous sont parvenues.',
  tooMany: (minutes) =>
    `Trop d’envois proviennent de votre réseau. Vos réponses sont toujours là\u00a0: veuillez les renvoyer dans ${minutes} minutes.`,
  send: 'Envoyer',
  optional: 'facultatif',
  choose: 'Veuillez choisir',
  row: (label, row) => `${label}, ligne ${row}`,
  addRow: (label) => `Ajouter une ligne\u00a0: ${label}`,
  removeRow: (row) => `Supprimer la ligne ${row}`,
  rowRemoved: (row) => `La ligne ${row} a été supprimée.`,
  mostRows: (most) => `Il peut y avoir au plus ${most} lignes.`,
  hints: {
    money: (currency, example) => `En ${currency}, par exemple ${example}`,
    phone: 'Avec l’indicatif du pays, par exemple +33 1 42 34 56 78',
    time: (zone) => `Dans le fuseau horaire ${zone}`,
  },
  problems: {
    required: (label) => `${label}\u00a0: à remplir.`,
    tick: (label) => `Veuillez cocher\u00a0: ${label}`,
    money: (label, example) => `${label}\u00a0: indiquez un montant, par exemple ${example}.`,
    negative: (label) => `${label}\u00a0: le montant ne peut pas être négatif.`,
    integer: (label, example) => `${label}\u00a0: indiquez un nombre entier, par exemple ${example}.`,
    number: (label, example) => `${label}\u00a0: indiquez un nombre, par exemple ${example}.`,
    digits: (label) => `${label}\u00a0: le nombre a plus de chiffres qu’il n’est possible d’en conserver.`,
    email: (label) => `${label}\u00a0: indiquez une adresse e-mail valable.`,
    date: (label, example) => `${label}\u00a0: indiquez un jour, par exemple ${example}.`,
    time: (label) => `${label}\u00a0: indiquez un jour et une heure.`,
    uri: (label) => `${label}\u00a0: indiquez une adresse qui commence par https://.`,
    phone: (label) => `${label}\u00a0: indiquez un numéro avec l’indicatif du pays, par exemple +33 1 42 34 56 78.`,
    party: (label) => `${label}\u00a0: indiquez le nom d’une personne ou d’une société, sur une ligne de 255 caractères au plus.`,
    user: (label) => `${label}\u00a0: indiquez l’adresse e-mail d’un membre.`,
    currency: (label) => `${label}\u00a0: indiquez le code d’une monnaie, par exemple EUR.`,
    format: (label) => `${label}\u00a0: la réponse n’a pas la forme demandée.`,
    oneOf: (label, values) => `${label}\u00a0: les valeurs possibles sont ${values}.`,
    shortest: (label, limit) => `${label}\u00a0: au moins ${limit} caractères.`,
    longest: (label, limit) => `${label}\u00a0: au plus ${limit} caractères.`,
    least: (label, limit) => `${label}\u00a0: au moins ${limit}.`,
    most: (label, limit) => `${label}\u00a0: au plus ${limit}.`,
    above: (label, limit) => `${label}\u00a0: plus de ${limit}.`,
    below: (label, limit) => `${label}\u00a0: moins de ${limit}.`,
    multiple: (label, of) => `${label}\u00a0: indiquez un multiple de ${of}.`,
    fewestRows: (label, limit) => `${label}\u00a0: au moins ${limit} lignes.`,
    mostRows: (label, limit) => `${label}\u00a0: au plus ${limit} lignes.`,
    invalid: (label) => `${label}\u00a0: la réponse n’est pas valable.`,
  },
  upload: {
    label: 'PDF rempli',
    hint:
      'Les valeurs du fichier sont copiées dans les champs ci-dessous et remplacent leur contenu. ' +
      'Rien n’est encore envoyé. Au plus 10 Mio.',
    button: 'Remplir depuis le fichier',
    notRead: (name) =>
      `PDF rempli\u00a0: ${name} n’a pas été lu. Choisissez-le de nouveau et appuyez sur « Remplir depuis le fichier », ` +
      'ou envoyez sans lui.',
    tooLarge: 'PDF rempli\u00a0: le fichier dépasse 10 Mio.',
    none: 'PDF rempli\u00a0: choisissez d’abord un fichier.',
    noPdf: 'PDF rempli\u00a0: le fichier n’est pas un PDF.',
    noText:
      'PDF rempli\u00a0: le fichier n’a pas de texte là où devraient être les valeurs ; une page numérisée ne peut pas être lue. ' +
      'Veuillez remplir les champs ci-dessous.',
    unreadable: () => 'PDF rempli\u00a0: le fichier ne peut pas être lu.',
    unable: 'PDF rempli\u00a0: ce formulaire ne peut pas lire de fichiers pour le moment. Veuillez remplir les champs ci-dessous.',
    busy:
      'PDF rempli\u00a0: trop de fichiers sont en cours de lecture, ou celui-ci prend trop de temps. ' +
      'Veuillez réessayer bientôt, ou remplir les champs.',
    field: (label) => `${label}\u00a0: la valeur n’a pas pu être lue dans le fichier.`,
    rows: (label, rows, most) =>
      `${label}\u00a0: le fichier a ${rows} lignes, ce formulaire en prend ${most}. Les autres sont laissées de côté.`,
    filledNone: 'Aucun champ n’a été rempli depuis le fichier. Veuillez remplir les champs, puis envoyer.',
    filled: (count) =>
      `${count === 1 ? '1 champ a été rempli' : `${count} champs ont été remplis`} depuis le fichier. Vérifiez tout, puis envoyez.`,
  },
};
