package main

// layout holds the page templates. A lesson's page carries its text form for browsers without scripts.
const layout = `{{define "head"}}<!doctype html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="{{.Description}}">
<title>{{.Title}}</title>
<link rel="icon" href="{{.Up}}icon.svg">
<link rel="stylesheet" href="{{.Up}}{{.Style}}">
{{end}}
{{define "home"}}{{template "head" .}}</head>
<body class="home">
<header class="top"><a class="logo" href="./" aria-current="page"><b>{{.Words.app}}</b></a><span class="space"></span><a class="lang" href="{{.OtherPage}}">{{.Words.other}}</a></header>
<main><h1>{{.Words.homeHead}}</h1><p class="lead">{{.Words.homeSub}}</p><p>{{.Words.homeWhy}}</p>
<h2>{{.Words.lessons}}</h2>
<ul class="lessons">{{range .Lessons}}<li><a href="{{.Folder}}"><b>{{.Number}} · {{.Title}}</b></a>{{md .Intro}}</li>{{end}}</ul></main>
</body></html>
{{end}}
{{define "lesson"}}{{template "head" .}}<script type="module" src="{{.Up}}{{.App}}"></script>
{{range .Parts}}<link rel="modulepreload" href="{{$.Up}}{{.}}">
{{end}}<link rel="preload" as="fetch" crossorigin href="{{.Up}}{{(index .Lesson.Runs 0).Trace}}">
<link rel="preload" as="fetch" crossorigin href="{{.Up}}{{.LessonFile}}">
<link rel="preload" as="fetch" crossorigin href="{{.Up}}{{.WordsFile}}">
</head>
<body>
<div id="app" data-home="{{.Up}}{{if ne .Lang "en"}}{{.Lang}}/{{end}}" data-other="{{.OtherPage}}" data-trace="{{.Up}}{{(index .Lesson.Runs 0).Trace}}" data-lesson="{{.Up}}{{.LessonFile}}" data-words="{{.Up}}{{.WordsFile}}" data-messages="{{.Up}}{{.MessagesFile}}" data-worker="{{.Up}}{{.Worker}}" data-wasm="{{.Up}}{{.Wasm}}"></div>
<div id="live" class="hidden" role="status" aria-live="polite"></div>
<noscript><main class="text"><h1>{{.Lesson.Number}} · {{.Lesson.Title}}</h1>{{md .Intro}}
<ol>{{range .Lesson.Stops}}<li><h2>{{.Headline}}</h2>{{md .Sentence}}{{with .Ask}}<details><summary>{{.Question}}</summary><ul>{{range .Choices}}<li>{{if .Right}}<b>{{.Text}}</b> {{.Why}}{{else}}{{.Text}}{{end}}</li>{{end}}</ul></details>{{end}}</li>{{end}}</ol></main></noscript>
</body></html>
{{end}}`
