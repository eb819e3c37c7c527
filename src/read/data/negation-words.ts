export const NEGATION_KINDS = ['before', 'after', 'seeming', 'end'] as const
export type NegationKind = (typeof NEGATION_KINDS)[number]

/**
 * Negating words of a language, by the method of NegEx (Chapman et al. 2001): words before a finding, words after one, words
 * that only look like a negation, and words that end a negation. The lists are our own.
 *
 * Semicolons separate rules. `(a|b)` is a choice and `[a|b]` an optional one; they do not nest. A rule with a full stop
 * applies only at the end of its clause, and one with a colon only after a colon. Of the rules that begin at one word
 * the longest applies: "no change" of `seeming` overrides "no" of `before`.
 */
export interface NegationWords extends Readonly<Record<NegationKind, string>> {
  /** Verbs that show that a comma or "and" begins a new clause: "no fever, lungs are clear". */
  readonly clauseVerbs: ReadonlySet<string>
  /** Words that close a negated list: "no edema, effusion or mass is seen". */
  readonly listEndings: ReadonlySet<string>
  /** Words of a statement, which tell where or since when something is, or what was done: "denies fever, alcohol on breath". */
  readonly details: ReadonlySet<string>
  /** Abbreviations whose full stop does not end a sentence, besides those with a dot inside, such as "e.g". */
  readonly abbreviations: ReadonlySet<string>
  /** Words that join a list: with them it goes on, and its last item follows. */
  readonly or: ReadonlySet<string>
  readonly and: ReadonlySet<string>
  /** Words that rarely begin an item of a negated list. */
  readonly articles: ReadonlySet<string>
  /** Frequent words, by which a text is known to be in the language. */
  readonly frequent: ReadonlySet<string>
}

export type NegationLanguage = 'English' | 'German' | 'French' | 'Spanish'

const words = (list: string) => new Set(list.trim().split(/\s+/))

const BE = 'is|are|was|were'
const BEEN = 'has been|have been|had been'
const SEEN = `seen|present|identified|evident|visualized|visible|demonstrated|detected|found|noted|appreciated|
  observed|apparent|shown|elicited`
const MUCH =
  'significant|substantial|appreciable|definite|definitive|convincing|obvious|gross|clear|apparent|acute|major'
const WHOLLY = 'completely|entirely|definitely|definitively|absolutely|totally|fully|reliably|clearly'
const FILM = 'study|studies|exam|exams|examination|examinations|film|films|radiograph|radiographs|imaging'

const ENGLISH: NegationWords = {
  // "no fever", "denies chest pain": negates what follows.
  before: `
    no; not; nor; neither; never; without; w o; cannot; can't; none of the; (no|without|not|denies|denied) (any|known);
    isn't; aren't; wasn't; weren't; doesn't; don't; didn't; hasn't; haven't; hadn't; couldn't;
    (no|not|without|never) [any] [${MUCH}|radiographic|clinical|other]
      (evidence|sign|signs|indication|suggestion|symptoms|findings|history|hx|complaints|suspicion|features)
      (of|for|to suggest|consistent with);
    no longer (has|have|had|shows|reports); (does|do|did) not (have|show|reveal|demonstrate|report|appear);
    denies; denied; deny; denying; denial of; (free|clear|devoid) of; free from; [${BE}|remains] (negative|neg) for;
    (absence|lack|resolution|clearing|removal) of; lacks; lacking; absent; resolved;
    (rule|rules|ruled|ruling) out; ruled out for; rule-out; r o; exclude; excludes; excluded; excluding;
    (fails|failed) to (show|reveal|demonstrate); unremarkable for; (argues|argue|speaks|evidence) against;
    rather than; instead of`,

  // "pneumonia was ruled out", "effusion is absent": negates what precedes.
  after: `
    (${BE}|${BEEN}) (ruled out|excluded|absent|negative|denied); [${BE}] unlikely;
    (ruled out|excluded|resolved) (by|with|on|at|after);
    [${BE}|has|have|had|can|could] not [been|be] [definitely|definitively|clearly|currently|otherwise]
      (${SEEN}|suspected|likely|reported);
    (isn't|aren't|wasn't|weren't|cannot be|can't be) (${SEEN}); [${BE}] no longer (${SEEN});
    (has|have|had) [now|since|completely] (resolved|cleared|disappeared); (is|are) [now] (resolved|gone);
    (has|have) been removed;
    negative.; neg.; absent.; denied.; resolved.; excluded.; ruled out.; : none.; : no.`,

  // "no change in the effusion", "not only fever": the finding is present, or its presence is left open.
  seeming: `
    (no|not|without) [any] [${MUCH}] [interval]
      (change|changes|increase|decrease|improvement|worsening|progression|difference|growth);
    not [significantly|substantially|appreciably|much] (changed|increased|decreased|improved|worsened|different);
    [${BE}|has|have|had] not [been|be] [${WHOLLY}] (excluded|ruled out|resolved|cleared);
    [may|could|can|would] not [be] [${WHOLLY}] (exclude|excluded|rule out|ruled out);
    (cannot|can't|couldn't|difficult to|hard to|impossible to|unable to|not able to) [be] [${WHOLLY}]
      (exclude|excluded|rule out|ruled out);
    (should|must|to) be (excluded|ruled out); may not be (${SEEN});
    [${BE}] not (absent|negative|unlikely); not (without|free of|deny|lacking);
    (incompletely|partially|partly|nearly|almost) (excluded|resolved|cleared);
    (partial|incomplete|near-complete|further|to|document|ensure) (resolution|clearing) of;
    not (only|just|merely|simply|necessarily|limited to|due to|caused by|related to|relieved by);
    [${BE}] not (well|fully|completely|adequately|optimally|as well|as clearly)
      (seen|visualized|demonstrated|defined|evaluated|assessed|identified);
    not (certain|sure|clear|known) (if|whether); no (doubt|question|wonder|matter|more than|less than);
    no (comparison|comparisons); no (prior|previous|old) (${FILM}); (with|whether) or (without|not); if not; or not;
    without (difficulty|delay|complication|complications|incident);
    (gram|rh|false) negative; negative (pressure|margins|predictive); nothing but`,

  // "no fever but a cough": ends a negation.
  end: `
    but; however; although; though; yet; except; nevertheless; whereas; while; instead; otherwise; despite; besides;
    (apart|aside) from; other than; with the exception of; because; since; until; unless; (due|secondary) to;
    in the setting of; which; who; where; when; there (${BE}|${BEEN}|remains); (presents|presented) with;
    (complains|complained) of; reports; endorses; admits; states; positive for; stable; unchanged;
    most likely; likely; probably; possibly`,
  clauseVerbs:
    words(`is are was were has have had appears appear remains remain shows show demonstrates reveals represents reports
  complains presents seems looks feels states endorses admits does may might can could will would should`),
  listEndings: words('seen identified demonstrated visualized appreciated evident detected found suspected observed'),
  details:
    words(`on at to with from after since for x per under by during into over smells smelled drank drinking fell found hit struck
  took taken brought came arrived walked ambulatory alert awake normal see consider`),
  abbreviations: words('dr drs mr mrs ms prof st jr sr vs approx resp pt dept fig cf al ca'),
  or: words('or nor'),
  and: words('and'),
  articles: words('a an the'),
  frequent:
    words(`the of and is are was were with no not there to in for without or on has have this that be been by at from
    it a an as she he his her i you do how what why denies left right`)
}

const GERMAN: NegationWords = {
  before: `
    (kein|keine|keinen|keinem|keiner|keines) [sicherer|sichere|sicheren|sicheres|eindeutige|eindeutiger|eindeutigen|wesentliche|
      wesentlicher|wesentlichen|relevante|relevanter|relevanten]
      [hinweis|hinweise|hinweisen|anhalt|anhaltspunkte|nachweis|zeichen|anzeichen|verdacht] [auf|für|von|einer|eines];
    ohne [hinweis|hinweise|anhalt|nachweis|zeichen|verdacht] [auf|für|von|einer|eines]; nicht; nie; niemals; weder;
    (ausschluss|fehlen|abwesenheit|ausgeschlossen) (von|einer|eines|wurde|wurden); verneint; verneinte; fehlt; fehlende; fehlender;
    fehlendes; frei von; negativ für; statt; anstelle`,
  after: `
    [ist|sind|war|waren|wurde|wurden] nicht [sicher|eindeutig|mehr]
      (nachweisbar|nachgewiesen|erkennbar|sichtbar|abgrenzbar|darstellbar|vorhanden|gesehen|festgestellt|gefunden|zu sehen|bekannt|
      beschrieben|vorliegend); (ist|sind|war|waren|wurde|wurden|konnte|konnten) ausgeschlossen [werden];
    [ist|sind|war|waren] unwahrscheinlich; [wird|werden|wurde|wurden] verneint.; liegt nicht vor; liegen nicht vor; lag nicht vor;
    nein.; negativ.; fehlt.; fehlend.; ausgeschlossen.; : nein; : keine.; : keiner.`,
  seeming: `
    (kann|können|konnte|konnten) nicht [sicher|mit sicherheit|vollständig] ausgeschlossen [werden];
    [ist|sind] nicht [sicher|mit sicherheit|vollständig] (auszuschließen|ausgeschlossen); nicht (nur|allein|bloß|lediglich|zuletzt);
    (kein|keine|keinen|keiner|keines|ohne) [wesentliche|wesentlichen|relevante|signifikante|neue]
      (änderung|veränderung|befundänderung|befundwechsel|zunahme|abnahme|progredienz|progress|befunddynamik|zweifel|voraufnahmen|
      voruntersuchung|vergleich); nicht (wesentlich|signifikant) (verändert|zugenommen|abgenommen|progredient);
    nicht (beurteilbar|sicher beurteilbar|ausreichend beurteilbar)`,
  end: `
    aber; jedoch; sondern; dagegen; hingegen; allerdings; obwohl; obgleich; während; außer; ausser; bis auf; abgesehen von;
    mit ausnahme; weil; da; denn; wegen; aufgrund; bei; seit; welche; welcher; welches; hier; dort; zeigt sich; zeigen sich; es zeigt;
    bekannte; bekannter; bekanntes; bekannten; unverändert; stationär; wahrscheinlich; vermutlich; möglicherweise; am ehesten`,
  clauseVerbs:
    words(`ist sind war waren hat haben hatte hatten wird werden wurde wurden zeigt zeigen stellt stellen findet finden
    besteht bestehen liegt liegen klagt berichtet gibt kann können könnte scheint bleibt imponiert`),
  listEndings: words('nachweisbar nachgewiesen erkennbar sichtbar abgrenzbar gesehen festgestellt gefunden vorhanden'),
  details:
    words(`auf an am zu zum zur mit von vom aus nach seit für pro unter bei durch während über im ins gestürzt gefallen
    genommen gebracht kam gelaufen wach normal siehe`),
  abbreviations: words('dr prof hr fr pat bzw ca evtl ggf inkl re li bds vgl z.n st abb nr vs zn'),
  or: words('oder noch bzw'),
  and: words('und sowie'),
  articles: words('der die das den dem des ein eine einen einem einer eines'),
  frequent:
    words(`der die das den dem des in und ist sind im mit von bei auf nicht kein keine keinen keiner ohne ein eine einer für
    nach sich zu zum zur aus oder wurde wird als auch`)
}

const FRENCH: NegationWords = {
  before: `
    pas [de|d|du|des] [signe|signes|argument|arguments|évidence|notion|lésion|lésions] [de|d|du|des|pour|en faveur de|en faveur d];
    (aucun|aucune) [signe|argument|évidence|notion|lésion|anomalie] [de|d|du|des|pour|en faveur de]; sans [signe|signes|notion]
      [de|d|du|des]; ni; jamais; absence (de|d|du|des); nie; niait; négatif pour; exclut; élimine; exempt de; indemne de;
    plutôt que; au lieu de; disparition (de|d|du|des)`,
  after: `
    [est|sont|était|étaient] (absent|absente|absents|absentes|exclu|exclue|exclus|exclues|éliminé|éliminée|éliminés|éliminées).;
    (n'est|n'est pas|ne sont pas|n'était pas|non|pas) (retrouvé|retrouvée|retrouvés|retrouvées|visible|visibles|visualisé|visualisée|
      identifié|identifiée|observé|observée|détecté|détectée|mis en évidence|mise en évidence|individualisé|individualisée);
    [est|sont] peu probable; peu probables; négatif.; négative.; : non; : aucun.; : aucune.; : néant`,
  seeming: `
    (ne peut|ne peuvent|ne pouvant) [pas] être [formellement|complètement] (exclu|exclue|exclus|exclues|éliminé|éliminée);
    (pas|non) [formellement|complètement] (exclu|exclue|éliminé|éliminée); pas (seulement|uniquement|que);
    (pas|sans) [de|d] [nette|franche|significative] (changement|modification|évolution|aggravation|progression|augmentation|diminution|
      doute|comparaison|difficulté|complication); n'exclut pas; pas d'évolution; pas d'aggravation; pas d'augmentation`,
  end: `
    mais; cependant; toutefois; néanmoins; sauf; hormis; excepté; en dehors (de|d|du|des); à l'exception (de|d|du|des); bien que;
    quoique; alors que; tandis que; car; parce que; puisque; depuis; avec; dont; qui; où; probablement; possiblement; stable; inchangé`,
  clauseVerbs:
    words(`est sont était étaient a ont avait avaient semble semblent apparaît montre montrent retrouve présente
    présentent rapporte signale reste peut pourrait`),
  listEndings: words(
    'retrouvé retrouvée visible visualisé visualisée identifié identifiée observé observée détecté détectée décelé décelée'
  ),
  details:
    words(`sur à au aux avec de depuis pour par sous dans en vers chez après pendant tombé tombée pris prise venu venue marche
    normal normale voir`),
  abbreviations: words('dr m mme mlle pr env cf fig vs ex'),
  or: words('ou ni'),
  and: words('et'),
  articles: words('le la les un une des'),
  frequent: words(`le la les des du un une et sont dans avec sans pas de pour au aux elle été ce qui que chez
    aucun aucune`)
}

const SPANISH: NegationWords = {
  before: `
    no [se] [observa|observan|aprecia|aprecian|evidencia|evidencian|identifica|identifican|detecta|detectan|presenta|presentan|
      refiere|hay|muestra|muestran|existe|existen|tiene] [signos|evidencia|datos|hallazgos] [de]; sin [signos|evidencia|datos] [de];
    (ningún|ninguno|ninguna) [signo|evidencia] [de]; ni; nunca; tampoco; niega; negó; negando; ausencia de; descarta; descartan;
    descartando; descartar; se descartó; negativo para; libre de; en lugar de; en vez de; resolución de`,
  after: `
    (ha sido|han sido|fue|fueron|queda|quedan) (descartado|descartada|descartados|descartadas|excluido|excluida);
    no (visible|visibles|identificado|identificada|observado|observada|evidente|evidentes|demostrado|demostrada|presente);
    [es|son] (poco probable|improbable); ausente.; ausentes.; negativo.; negativa.; descartado.; descartada.; : no; : ninguno.; : ninguna.`,
  seeming: `
    no se (puede|pueden|pudo) [completamente] (descartar|excluir); no se descarta; no se descartan; no (excluye|descarta);
    no (solo|sólo|solamente|únicamente|necesariamente); (sin|no) [hay] [se] [observan]
      (cambios|cambio|modificaciones|variación|progresión|aumento|disminución|duda|dudas|comparación|complicaciones|dificultad)`,
  end: `
    pero; sino; sin embargo; no obstante; aunque; excepto; salvo; a excepción de; con excepción de; mientras; debido a; porque;
    desde; con; que; cual; donde; presenta; refiere; probable; probablemente; posiblemente; estable`,
  clauseVerbs:
    words(`es son era eran está están ha han había tiene tienen parece parecen muestra muestran presenta presentan observa
    aprecia refiere acude queda puede podría`),
  listEndings: words(
    'visible identificado identificada observado observada evidente detectado detectada demostrado demostrada'
  ),
  details: words(
    `en a al con de desde para por bajo sobre hacia tras durante cayó caída tomado tomó traído vino camina normal ver`
  ),
  abbreviations: words('dr dra sr sra aprox ej fig vs pte'),
  or: words('o u ni'),
  and: words('y e'),
  articles: words('el la los las un una unos unas'),
  frequent: words(`el la los las un una del con sin no por para que se de ni como fue ha está lado derecho
    izquierdo niega presenta paciente`)
}

export const NEGATION_WORDS: Readonly<Record<NegationLanguage, NegationWords>> = {
  English: ENGLISH,
  German: GERMAN,
  French: FRENCH,
  Spanish: SPANISH
}

const languages = Object.keys(NEGATION_WORDS) as NegationLanguage[]

/** The languages in which a word is frequent, by number. */
const languagesOf = new Map<string, number[]>()
for (const [at, language] of languages.entries())
  for (const word of NEGATION_WORDS[language].frequent) languagesOf.set(word, [...(languagesOf.get(word) ?? []), at])

/** Returns the language whose frequent words are most in all texts together; a text without any of them tells nothing. */
export function textLanguage(texts: Iterable<string>): NegationLanguage {
  function* words() {
    for (const text of texts) yield* text.toLowerCase().match(/\p{L}+/gu) ?? []
  }
  return languageOf(words())
}

/** Returns the language whose frequent words are most in these (lower-case) words; English unless another one has more. */
export function languageOf(text: Iterable<string>): NegationLanguage {
  const counts = languages.map(() => 0)
  for (const word of text) {
    const found = languagesOf.get(word)
    if (found !== undefined) for (const at of found) counts[at]++
  }
  return languages[counts.indexOf(Math.max(...counts))]
}
