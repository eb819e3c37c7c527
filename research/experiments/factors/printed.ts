/**
 * The words in the paper's tables of learned concepts (supplement), in order of weight: those of Stack Overflow, then those
 * of its emergency department. Misprints are kept; a word printed twice is listed once.
 */
const PRINTED = `
osx: osx, i'm, running, i've, install, installed, os, code, managed, existing
ruby-on-rails-3: parsing, executed, web-application, don't, numbers, developed, resources, dynamic, named, rest
image: image, code, size, upload, html, save, picture, width, page, display
mysql: mysql, query, rows, row, id, 1, tables, join, insert, column
web-services: web, service, web-services, client, java, services, things, sharepoint, don't, true
objective-c: objective-c, i'm, code, don't, xcode, dynamic, syntax, including, follow, trouble
linux: linux, running, command, machine, system, server, directory, install, php, servers
query: query, table, a, result, results, queries, tables, return, returns, select
regex: regex, match, expression, regular, pattern, i'm, replace, characters, html, extract
php: php, server, array, send, data, i'm, database, output, website, user
java: java, string, program, client, xml, read, code, existing, send, environment
ruby-on-rails: ruby-on-rails, rails, i'm, database, user, controller, page, ruby, model, code
asp.net: asp.net, asp.net-mvc-3, controller, site, website, database, control, ajax, jquery, action
sql-server: sql-server, query, tsql, sql, sql-server-2005, server, stored, procedure, rows, columns
forms: form, forms, page, code, data, html, jquery, user, button, submit
python: python, i'm, a, program, string, list, module, output, don't, write
json: json, string, response, data, php, parse, code, format, ajax, javascript
html: html, tags, tag, page, website, code, links, show, webpage, text
iphone: iphone, app, view, device, sqlite, api, video, uitableview, images, ios5
performance: performance, time, data, question, takes, slow, faster, run, seconds, running
android: android, code, xml, java, activity, device, app, phone, screen, android-layout
multithreading: thread, multithreading, code, threads, application, method, data, main, run, managed
xcode: xcode, project, build, app, 4, version, i've, running, debug, target
css: css, page, css3, jquery, style, javascript, chrome, works, width, browser
jquery: jquery, html, works, plugin, javascript, jquery-ui, css, jquery-ajax, elements, link
string: string, a, strings, array, characters, output, convert, json, character, split
c#: c#, function, code, methods, event, excel, click, written, program, call
javascript: javascript, jquery, js, script, works, ajax, php, button, browser, code
ios: ios, iphone, app, ios5, device, i'm, ipad, 5, user, screen
linq: linq, linq-to-sql, code, class, c#, error, xml, expression, property, collection
xml: xml, parse, document, read, data, string, node, output, format, tag
ajax: ajax, code, javascript, jquery-ajax, works, call, response, user, request, html
facebook: facebook, users, login, api, app, sdk, post, php, id, link
html5: html5, html, browser, chrome, css, support, image, browsers, works, android
sql: sql, table, database, query, data, tsql, tables, statement, column, sql-server
wpf: wpf, control, window, property, binding, a, bind, controls, ui, items
asp.net-mvc: code, existing, browsers, query, faster, issues, row, flash, environment, program
ruby: ruby, i'm, rails, running, string, install, installed, array, feed, executed
ipad: ipad, works, fine, screen, ios, page, device, problem, safari, app
c: c, program, a, write, c+, library, compile, string, array, functions
database: database, a, table, user, db, code, sql, data, store, created
arrays: arrays, i'm, 2, data, dynamic, results, saved, row, 0, finally
vb.net: vb.net, string, project, work, database, code, developed, results, rest, existing
.net: .net, framework, i've, windows, executed, managed, valid, don't, developed, existing
eclipse: eclipse, project, build, installed, plugin, debug, running, folder, version, projects
c++: c++, c+, code, i'm, managed, find, access, application, implementation, writing
windows: windows, windows-7, a, running, winapi, c#, machine, run, application, window
winforms: winforms, control, user, i'm, windows, a, .net, controls, forms, don't
cocoa-touch: a, i'm, cocoa-touch, code, dynamic, results, follow, row, send, environment
sql-server-2008: sql-server-2008, sql-server, sql, query, tsql, stored, 1, procedure, developed, resources
abdominal pain: pain, dispensed:ondansetron, nausea, neg:fevers, dispensed:morphine sulfate, vomiting, days, dispensed:hydromorphone (dilaudid), neg:vomiting
alcohol: sex:m, sober, admits, found, drink, dispensed:thiamine, dispensed:folic acid, dispensed:diazepam, dispensed:multivitamins
allergic reaction: disposition, initial vitals, pending, consults, interventions, trigger, imaging, ed, diagnosis, pain
asthma-copd: med-history:albuterol sulfate, sob, dispensed:methylprednisolone sodium succ, cough, nebs, med-history:spiriva with handihaler, home, days, dyspnea
back pain: pain, neg:or, neg:pain, back, denies, lower back, dispensed:oxycodone-acetaminophen, neg:of, low back, neg:bowel
cellulitis: ed, admit, swelling, imaging, diagnosis, days, consults, iv, leg, interventions
stroke: age 80, admit, patient, head, ekg, weakness, ed, ct head, neuro, htn
epistaxis: nose, bleeding, blood, neg:bleeding, ekg, neg:with, ed, bleed, consults, today
fall: pain, denies, neg:pain, p fall, neg:or, ed, imaging, consults, interventions, neg:loc
gastrointestinal bleed: blood, dispensed:pantoprazole sodium, hct, gi, stool, admit, rectal, today, dispensed:lidocaine jelly 2% (urojet)
headache: head, nausea, today, neg:or, denies, neg:pain, days, dispensed:acetaminophen, pain, neck pain
hematuria: sex:m, urine, urology, blood, foley, neg:pain, days, neg:fevers, dysuria, bladder
hiv+: sex:m, med-history:truvada, cd, age 40, med-history:ritonavir, days, pcp, cough, fever, denies
intracranial hemorrhage: osh, ct, fall, age 80, found, head ct, transfer, sex:m, repeat, small
kidney stone: pain, flank pain, dispensed:ondansetron, dispensed:ketorolac, stone, nausea, urology, ct, dispensed:morphine sulfate
liver failure (history): sex:m, liver, age 50, med-history:lactulose, admit, ed, med-history:folic acid, med-history:furosemide, med-history:multivitamin, med-history:lasix
motor vehicle collision: car, neg:loc, age 20, hit, neck, neg:head, driver, mph, neg:airbag, front
pneumonia: cxr, admit, sex:m, cough, ed, fever, diagnosis, ekg, med-historyicine, admit med-historyicine
severe sepsis: dispensed:fentanyl citrate, found, icu, osh, vanc, age 80, imaging, consults, interventions, lactate
sexual assault: patient, dispensed:ondansetron odt, evaluation, ceftriaxone, man, eval, age 30, home, plan, flagyl
suicidal ideation: depression, neg:hi, denies, states, neg:si, plan, dispensed:lorazepam, eval, age 40, section
syncope: ekg, neg:pain, fall, head, fell, denies, neg:cp, ed, neg:of, loc
urinary tract infection: ed, imaging, consults, interventions, diagnosis, ua, cipro, admit, pending, disposition
`

/** The words that the paper prints for a concept of this name, if any. */
export function printedWords(concept: string): readonly string[] | undefined {
  const start = `${concept.toLowerCase()}: `
  const found = PRINTED.split('\n').find(line => line.startsWith(start))
  return found?.slice(start.length).split(', ')
}
