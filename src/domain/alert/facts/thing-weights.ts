/*
 * How much each feature of a fact (`factFeatures`) says that it is the thing of the alert. Fitted by
 * `scripts/fit-facts.ts`: do not edit it by hand.
 */
export const THING_WEIGHTS = `
  e:fullname=1.8 k:fullname=1.8 inother=1.7 u:repo=1.7 e:alarmname=1.6 e:checkname=1.6 thing:0=1.6
  v:word&subject=1.6 k:alarmname=1.5 e:incidenttitle=1.4 w:attributes=1.4 w:data=1.4
  w:impacted=1.4 e:incidentname=1.3 w:backup=1.3 e:attachmentstitle=1.2 e:buildnumber=1.2
  v:sentence&type=1.2 v:word&severity=1.2 e:rulename=1.1 e:service=1.1 e:zonename=1.1
  k:alertname=1.1 k:service=1.1 v:address&message=1.1 w:resources=1.1 e:alert=1 k:alert=1
  k:sourcename=1 n:alertname=1 num&build=1 u:body=1 u:server=1 w:entity=1 w:order=1
  e:alertname=0.9 e:channelname=0.9 e:instancename=0.9 k:channelname=0.9 k:checkname=0.9
  k:instancename=0.9 k:rulename=0.9 u:check=0.9 u:details=0.9 u:events=0.9 u:monitor=0.9
  v:measure&duration=0.9 w:incident=0.9 e:monitorname=0.8 e:text=0.8 n:rule=0.8 thing:1=0.8
  u:attributes=0.8 u:object=0.8 u:project=0.8 u:resources=0.8 v:number&code=0.8
  v:sentence&content=0.8 v:state&text=0.8 v:state&title=0.8 w:project=0.8 w:service=0.8
  e:alarm=0.7 e:class=0.7 e:fieldsvalue=0.7 e:path=0.7 e:projectname=0.7 e:texttext=0.7
  k:alarm=0.7 k:class=0.7 k:path=0.7 n:alert=0.7 u:condition=0.7 v:date&ip=0.7 v:word&status=0.7
  v:word&tag=0.7 v:word&tags=0.7 v:word&title=0.7 w:channel=0.7 w:condition=0.7 w:full=0.7
  w:server=0.7 w:text=0.7 w:zone=0.7 e:commitmessage=0.6 e:devicetype=0.6 e:sensor=0.6
  e:temperature=0.6 e:title=0.6 e:unit=0.6 k:commitmessage=0.6 k:devicetype=0.6 k:entityid=0.6
  k:name=0.6 k:sensor=0.6 k:temperature=0.6 k:title=0.6 k:unit=0.6 n:alarm=0.6 n:namespace=0.6
  n:sensor=0.6 n:service=0.6 n:subject=0.6 n:temperature=0.6 n:title=0.6 small=0.6 u:alert=0.6
  u:payload=0.6 u:source=0.6 v:number&temperature=0.6 v:sentence&summary=0.6 v:state&subject=0.6
  v:word&description=0.6 v:word&namespace=0.6 w:affected=0.6 w:attachments=0.6 w:author=0.6
  w:body=0.6 w:log=0.6 e:appname=0.5 e:domain=0.5 e:entityid=0.5 e:failurereason=0.5 e:id=0.5
  e:key=0.5 e:servicename=0.5 e:slug=0.5 e:summary=0.5 k:domain=0.5 k:failurereason=0.5 k:key=0.5
  k:monitorname=0.5 k:projectname=0.5 k:slug=0.5 k:summary=0.5 n:job=0.5 n:remaining=0.5
  n:unit=0.5 n:value=0.5 u:build=0.5 v:sentence&event=0.5 v:state&name=0.5 v:word&context=0.5
  v:word&hostname=0.5 v:words&device=0.5 v:words&service=0.5 v:words&type=0.5 w:instance=0.5
  e:agentname=0.4 e:ok=0.4 e:reponame=0.4 e:repository=0.4 e:signature=0.4 e:subject=0.4 k:ok=0.4
  k:repository=0.4 k:signature=0.4 k:subject=0.4 k:text=0.4 n:downtime=0.4 n:signature=0.4
  n:task=0.4 u:site=0.4 v:number&changed=0.4 v:word&category=0.4 v:word&project=0.4 w:app=0.4
  w:pipeline=0.4 e:contenttransferencoding=-0.4 e:createdat=-0.4 e:eventtime=-0.4 e:htmlurl=-0.4
  e:oldstatus=-0.4 e:runid=-0.4 e:success=-0.4 e:type=-0.4 e:zone=-0.4
  k:contenttransferencoding=-0.4 k:createdat=-0.4 k:eventtime=-0.4 k:htmlurl=-0.4 k:oldstatus=-0.4
  k:ruleid=-0.4 k:success=-0.4 k:type=-0.4 num&heartbeat=-0.4 pos:2=-0.4 u:pipeline=-0.4
  u:service=-0.4 v:date&end=-0.4 v:flag&success=-0.4 v:word=-0.4 v:word&type=-0.4 w:transfer=-0.4
  e:created=-0.5 e:customerid=-0.5 e:fingerprint=-0.5 e:interval=-0.5 e:jobid=-0.5 e:mainpid=-0.5
  e:pod=-0.5 e:process=-0.5 e:resolved=-0.5 e:ruleid=-0.5 e:serial=-0.5 e:size=-0.5 e:time=-0.5
  e:ts=-0.5 e:uuid=-0.5 e:version=-0.5 k:accountid=-0.5 k:created=-0.5 k:customerid=-0.5
  k:fingerprint=-0.5 k:interval=-0.5 k:jobid=-0.5 k:mainpid=-0.5 k:pod=-0.5 k:process=-0.5
  k:resolved=-0.5 k:serial=-0.5 k:server=-0.5 k:size=-0.5 k:time=-0.5 k:ts=-0.5 k:uuid=-0.5
  k:version=-0.5 n:fingerprint=-0.5 n:location=-0.5 n:pod=-0.5 n:process=-0.5 n:resolved=-0.5
  n:server=-0.5 n:source=-0.5 n:version=-0.5 u:organization=-0.5 v:number&id=-0.5
  v:sentence&process=-0.5 v:state&id=-0.5 v:state&type=-0.5 v:state&value=-0.5 v:word&author=-0.5
  v:word&event=-0.5 v:word&time=-0.5 v:words&description=-0.5 w:issue=-0.5 w:new=-0.5 w:repo=-0.5
  e:accountid=-0.6 e:alarmid=-0.6 e:body=-0.6 e:date=-0.6 e:failed=-0.6 e:finished=-0.6
  e:from=-0.6 e:generatorurl=-0.6 e:impact=-0.6 e:mimeversion=-0.6 e:pipelineid=-0.6
  e:platform=-0.6 e:reason=-0.6 e:revision=-0.6 e:source=-0.6 e:started=-0.6 e:team=-0.6
  e:webhookid=-0.6 k:alarmid=-0.6 k:body=-0.6 k:date=-0.6 k:deviceid=-0.6 k:failed=-0.6
  k:finished=-0.6 k:from=-0.6 k:generatorurl=-0.6 k:impact=-0.6 k:incidentid=-0.6
  k:mimeversion=-0.6 k:platform=-0.6 k:reason=-0.6 k:revision=-0.6 k:source=-0.6 k:started=-0.6
  k:team=-0.6 k:username=-0.6 kind:line=-0.6 line=-0.6 lineno:5=-0.6 n:action=-0.6 n:body=-0.6
  n:created=-0.6 n:domain=-0.6 n:event=-0.6 n:finished=-0.6 n:from=-0.6 n:hash=-0.6
  n:identifier=-0.6 n:interval=-0.6 n:platform=-0.6 n:status=-0.6 n:team=-0.6 n:username=-0.6
  num&alert=-0.6 u:deployment=-0.6 v:date&created=-0.6 v:date&ts=-0.6 v:link&value=-0.6
  v:sentence&active=-0.6 v:sentence&time=-0.6 v:state&event=-0.6 v:word&encoding=-0.6
  v:word&platform=-0.6 v:word&revision=-0.6 v:word&source=-0.6 v:word&target=-0.6 v:word&team=-0.6
  v:word&trigger=-0.6 v:words&loaded=-0.6 v:words&text=-0.6 w:end=-0.6 w:error=-0.6 w:failure=-0.6
  w:generator=-0.6 w:html=-0.6 w:web=-0.6 w:workflow=-0.6 base=-0.7 d:2=-0.7 d:3=-0.7 d:4=-0.7
  e:=-0.7 e:channel=-0.7 e:color=-0.7 e:details=-0.7 e:deviceid=-0.7 e:errors=-0.7
  e:eventtype=-0.7 e:href=-0.7 e:loaded=-0.7 e:metricname=-0.7 e:monitorstatus=-0.7
  e:protocol=-0.7 e:received=-0.7 e:releasetitle=-0.7 e:server=-0.7 e:stage=-0.7 e:state=-0.7
  e:target=-0.7 e:truncatedalerts=-0.7 e:year=-0.7 k:=-0.7 k:buildid=-0.7 k:channel=-0.7
  k:color=-0.7 k:details=-0.7 k:errors=-0.7 k:eventtype=-0.7 k:href=-0.7 k:loaded=-0.7
  k:metricname=-0.7 k:monitorid=-0.7 k:monitorstatus=-0.7 k:organizationname=-0.7 k:protocol=-0.7
  k:received=-0.7 k:releasetitle=-0.7 k:stage=-0.7 k:target=-0.7 k:truncatedalerts=-0.7
  k:year=-0.7 len:0=-0.7 n:=-0.7 n:channel=-0.7 n:encoding=-0.7 n:errors=-0.7 n:href=-0.7
  n:labels=-0.7 n:loaded=-0.7 n:pid=-0.7 n:ping=-0.7 n:protocol=-0.7 n:received=-0.7
  n:revision=-0.7 n:year=-0.7 num&repository=-0.7 person=-0.7 u:attachments=-0.7 v:date&time=-0.7
  v:link&target=-0.7 v:mail=-0.7 v:number&year=-0.7 v:sentence&action=-0.7 v:sentence&cause=-0.7
  v:sentence&output=-0.7 v:sentence&received=-0.7 v:sentence&status=-0.7 v:state&description=-0.7
  v:word&channel=-0.7 v:word&date=-0.7 v:word&protocol=-0.7 v:word&size=-0.7 v:word&token=-0.7
  v:word&version=-0.7 v:words&error=-0.7 v:words&time=-0.7 w:build=-0.7 w:group=-0.7 w:http=-0.7
  w:local=-0.7 w:max=-0.7 w:request=-0.7 w:running=-0.7 w:severity=-0.7 w:topic=-0.7
  w:truncated=-0.7 e:active=-0.8 e:detail=-0.8 e:down=-0.8 e:environmentname=-0.8
  e:externalurl=-0.8 e:method=-0.8 e:mimetype=-0.8 e:namespace=-0.8 e:ref=-0.8 e:timestamp=-0.8
  e:token=-0.8 e:trigger=-0.8 e:username=-0.8 e:weight=-0.8 k:accountname=-0.8 k:active=-0.8
  k:detail=-0.8 k:down=-0.8 k:externalurl=-0.8 k:method=-0.8 k:mimetype=-0.8 k:namespace=-0.8
  k:ref=-0.8 k:timestamp=-0.8 k:token=-0.8 k:trigger=-0.8 k:weight=-0.8 kind:text=-0.8 len:3=-0.8
  n:active=-0.8 n:detail=-0.8 n:down=-0.8 n:end=-0.8 n:id=-0.8 n:load=-0.8 n:method=-0.8
  n:ref=-0.8 n:started=-0.8 n:success=-0.8 n:token=-0.8 n:trigger=-0.8 n:update=-0.8 n:weight=-0.8
  num&data=-0.8 num&issue=-0.8 num&metadata=-0.8 pos:4=-0.8 v:date&date=-0.8 v:date&start=-0.8
  v:mail&to=-0.8 v:number&at=-0.8 v:number&time=-0.8 v:sentence&error=-0.8 v:state=-0.8
  v:word&by=-0.8 v:word&group=-0.8 v:word&method=-0.8 v:word&ref=-0.8 v:word&serial=-0.8
  w:environment=-0.8 w:execution=-0.8 w:external=-0.8 w:host=-0.8 w:mime=-0.8 w:product=-0.8
  w:remote=-0.8 w:run=-0.8 w:title=-0.8 e:datetime=-0.9 e:group=-0.9 e:level=-0.9 e:phase=-0.9
  e:priority=-0.9 e:result=-0.9 e:siteid=-0.9 k:datetime=-0.9 k:group=-0.9 k:level=-0.9
  k:phase=-0.9 k:priority=-0.9 k:result=-0.9 n:alerts=-0.9 n:color=-0.9 n:failed=-0.9 n:num=-0.9
  n:phase=-0.9 n:ts=-0.9 u:error=-0.9 u:request=-0.9 u:status=-0.9 v:date&at=-0.9
  v:date&timestamp=-0.9 v:link&link=-0.9 v:measure=-0.9 v:number=-0.9 v:number&alerts=-0.9
  v:number&amount=-0.9 v:state&priority=-0.9 v:word&code=-0.9 v:word&color=-0.9 v:word&text=-0.9
  w:account=-0.9 w:api=-0.9 w:release=-0.9 w:rule=-0.9 w:start=-0.9 w:team=-0.9 e:accountname=-1
  e:agentid=-1 e:branchname=-1 e:buildid=-1 e:cause=-1 e:count=-1 e:error=-1 e:messageid=-1
  e:objectname=-1 e:sourceid=-1 k:cause=-1 k:count=-1 k:error=-1 k:messageid=-1 n:amount=-1
  n:author=-1 n:commit=-1 n:env=-1 n:group=-1 n:mode=-1 n:n=-1 n:output=-1 n:secret=-1 n:serial=-1
  n:sha=-1 num&check=-1 num&pipeline=-1 num&status=-1 u:priority=-1 v:long=-1 v:measure&id=-1
  v:number&address=-1 v:state&level=-1 v:word&env=-1 v:word&mode=-1 v:word&secret=-1
  v:words&username=-1 v:words&value=-1 w:actions=-1 w:auto=-1 w:customer=-1 w:file=-1 w:first=-1
  w:from=-1 w:metric=-1 w:of=-1 w:serial=-1 w:series=-1 w:signature=-1 w:sub=-1 w:threshold=-1
  w:triggered=-1 e:account=-1.1 e:monitorid=-1.1 e:monitorurl=-1.1 e:origin=-1.1 e:receiver=-1.1
  k:account=-1.1 k:monitorurl=-1.1 k:origin=-1.1 k:receiver=-1.1 lineno:1=-1.1 lineno:2=-1.1
  n:arn=-1.1 n:client=-1.1 n:mac=-1.1 n:priority=-1.1 n:provider=-1.1 n:receiver=-1.1 n:state=-1.1
  n:uptime=-1.1 u:state=-1.1 u:user=-1.1 v:date&message=-1.1 v:sentence&details=-1.1
  v:state&result=-1.1 v:state&summary=-1.1 v:state&tags=-1.1 v:word&arn=-1.1 v:word&client=-1.1
  v:word&mac=-1.1 v:word&provider=-1.1 v:word&receiver=-1.1 v:words&location=-1.1
  v:words&output=-1.1 w:actor=-1.1 w:branch=-1.1 w:date=-1.1 w:files=-1.1 w:resource=-1.1
  w:result=-1.1 w:state=-1.1 w:status=-1.1 w:time=-1.1 e:contenttype=-1.2 e:incidentid=-1.2
  e:monitortype=-1.2 e:organizationname=-1.2 e:to=-1.2 k:checkid=-1.2 k:contenttype=-1.2
  k:monitortype=-1.2 k:to=-1.2 lineno:4=-1.2 n:account=-1.2 n:filename=-1.2 n:impact=-1.2
  n:level=-1.2 n:link=-1.2 n:start=-1.2 n:timestamp=-1.2 u:actions=-1.2 v:link&url=-1.2
  v:number&port=-1.2 v:number&status=-1.2 v:word&model=-1.2 v:word&path=-1.2 v:word&uuid=-1.2
  v:words&category=-1.2 w:is=-1.2 w:old=-1.2 w:organization=-1.2 w:target=-1.2
  e:notificationtype=-1.3 k:notificationtype=-1.3 n:by=-1.3 n:error=-1.3 n:target=-1.3 n:to=-1.3
  n:uuid=-1.3 num&attributes=-1.3 num&events=-1.3 num&incident=-1.3 num&project=-1.3 u:run=-1.3
  v:date=-1.3 v:link=-1.3 w:current=-1.3 w:main=-1.3 w:update=-1.3 e:checkid=-1.4 n:address=-1.4
  n:at=-1.4 n:cause=-1.4 n:date=-1.4 n:details=-1.4 n:result=-1.4 u:labels=-1.4 u:release=-1.4
  u:severity=-1.4 v:address&event=-1.4 v:number&duration=-1.4 v:state&status=-1.4 v:word&msg=-1.4
  w:in=-1.4 e:attachmentstext=-1.5 e:dataid=-1.5 n:operator=-1.5 n:stage=-1.5 u:blocks=-1.5
  u:execution=-1.5 u:trigger=-1.5 v:address&id=-1.5 v:flag&alarm=-1.5 v:id=-1.5 v:word&to=-1.5
  v:word&user=-1.5 w:content=-1.5 w:to=-1.5 w:user=-1.5 e:objectid=-1.6 n:controller=-1.6
  n:size=-1.6 n:uid=-1.6 num&monitor=-1.6 v:word&action=-1.6 v:word&unit=-1.6 v:words&status=-1.6
  w:battery=-1.6 w:monitoring=-1.6 later=-1.7 u:info=-1.7 u:meta=-1.7 v:address&type=-1.7
  v:id&id=-1.7 v:mail&from=-1.7 v:word&from=-1.7 w:ssl=-1.7 n:time=-1.8 num&event=-1.8
  v:number&severity=-1.8 v:word&location=-1.8 v:word&region=-1.8 w:notification=-1.8
  e:fieldsname=-1.9 len:4=-1.9 v:sentence&device=-1.9 v:words&reason=-1.9 w:last=-1.9 k:orgid=-2
  u:sender=-2 v:flag=-2 v:measure&value=-2 v:state&state=-2.2 u:heartbeat=-2.7 lineno:3=-2.9
  v:state&severity=-3.1 u:annotations=-3.3
`
