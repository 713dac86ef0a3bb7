/*
 * How much each feature of a fact (`factFeatures`) says that it is the thing of the alert. Fitted by
 * `scripts/fit-facts.ts`: do not edit it by hand.
 */
export const THING_WEIGHTS = `
  u:repo=1.7 e:alarmname=1.6 e:checkname=1.6 e:fullname=1.6 k:fullname=1.6 thing:0=1.6
  v:word&subject=1.6 k:alarmname=1.5 e:incidenttitle=1.4 w:attributes=1.4 w:data=1.4
  w:impacted=1.4 e:buildnumber=1.3 w:backup=1.3 e:attachmentstitle=1.2 e:incidentname=1.2
  e:rulename=1.2 v:sentence&type=1.2 v:word&severity=1.2 e:zonename=1.1 inother=1.1
  k:alertname=1.1 k:rulename=1.1 u:server=1.1 w:resources=1.1 e:alert=1 e:alertname=1 e:service=1
  k:alert=1 k:checkname=1 k:service=1 n:alertname=1 num&build=1 u:body=1 v:address&message=1
  w:entity=1 w:incident=1 w:order=1 e:channelname=0.9 e:instancename=0.9 e:monitorname=0.9
  k:channelname=0.9 k:instancename=0.9 k:sourcename=0.9 thing:1=0.9 u:check=0.9 u:details=0.9
  v:measure&duration=0.9 v:word&title=0.9 w:service=0.9 e:text=0.8 n:rule=0.8 u:monitor=0.8
  u:object=0.8 u:resources=0.8 v:date&ip=0.8 v:number&code=0.8 v:sentence&content=0.8
  v:state&text=0.8 v:word&tags=0.8 w:project=0.8 e:alarm=0.7 e:commitmessage=0.7 e:fieldsvalue=0.7
  e:projectname=0.7 e:texttext=0.7 k:alarm=0.7 k:commitmessage=0.7 n:alert=0.7 small=0.7
  u:attributes=0.7 u:condition=0.7 u:events=0.7 v:state&title=0.7 v:word&status=0.7 v:word&tag=0.7
  w:attachments=0.7 w:channel=0.7 w:condition=0.7 w:server=0.7 w:text=0.7 w:zone=0.7 e:appname=0.6
  e:class=0.6 e:devicetype=0.6 e:id=0.6 e:sensor=0.6 e:temperature=0.6 e:unit=0.6 k:class=0.6
  k:devicetype=0.6 k:name=0.6 k:sensor=0.6 k:temperature=0.6 k:unit=0.6 n:alarm=0.6 n:job=0.6
  n:namespace=0.6 n:remaining=0.6 n:sensor=0.6 n:value=0.6 u:build=0.6 u:payload=0.6 u:project=0.6
  u:source=0.6 v:number&temperature=0.6 v:sentence&event=0.6 v:sentence&summary=0.6
  v:word&description=0.6 v:word&namespace=0.6 w:affected=0.6 w:body=0.6 w:full=0.6 w:log=0.6
  e:domain=0.5 e:embedstitle=0.5 e:failurereason=0.5 e:key=0.5 e:path=0.5 e:reponame=0.5
  e:rule=0.5 e:servicename=0.5 e:slug=0.5 e:summary=0.5 k:domain=0.5 k:entityid=0.5
  k:failurereason=0.5 k:key=0.5 k:monitorname=0.5 k:path=0.5 k:projectname=0.5 k:rule=0.5
  k:serviceid=0.5 k:slug=0.5 k:summary=0.5 k:title=0.5 n:plan=0.5 n:service=0.5 n:temperature=0.5
  n:title=0.5 n:unit=0.5 u:alert=0.5 u:group=0.5 u:repository=0.5 u:site=0.5 v:state&subject=0.5
  v:word&context=0.5 v:words&service=0.5 v:words&type=0.5 w:app=0.5 w:author=0.5 w:embeds=0.5
  w:instance=0.5 e:check=0.4 e:entityid=0.4 e:ip=0.4 e:ok=0.4 e:repository=0.4
  e:repositoryname=0.4 e:signature=0.4 k:check=0.4 k:ip=0.4 k:ok=0.4 k:repository=0.4
  k:signature=0.4 k:text=0.4 k:value=0.4 n:check=0.4 n:downtime=0.4 n:ip=0.4 n:signature=0.4
  n:task=0.4 v:number&changed=0.4 v:state&name=0.4 v:word&category=0.4 v:word&component=0.4
  v:word&hostname=0.4 w:events=0.4 e:contenttransferencoding=-0.4 e:eventtime=-0.4 e:runid=-0.4
  e:type=-0.4 k:contenttransferencoding=-0.4 k:event=-0.4 k:eventtime=-0.4 k:type=-0.4 n:key=-0.4
  num&run=-0.4 pos:3=-0.4 u:deployment=-0.4 u:organization=-0.4 v:number&id=-0.4
  v:word&fingerprint=-0.4 w:issue=-0.4 w:new=-0.4 w:transfer=-0.4 e:customerid=-0.5 e:failed=-0.5
  e:generatorurl=-0.5 e:interval=-0.5 e:mimeversion=-0.5 e:oldstatus=-0.5 e:pipelineid=-0.5
  e:pod=-0.5 e:ruleid=-0.5 e:source=-0.5 e:sourcename=-0.5 e:time=-0.5 e:ts=-0.5 e:version=-0.5
  k:accountid=-0.5 k:customerid=-0.5 k:failed=-0.5 k:generatorurl=-0.5 k:interval=-0.5
  k:mimeversion=-0.5 k:oldstatus=-0.5 k:pod=-0.5 k:reason=-0.5 k:ruleid=-0.5 k:server=-0.5
  k:source=-0.5 k:time=-0.5 k:ts=-0.5 k:username=-0.5 k:version=-0.5 kind:line=-0.5 line=-0.5
  lineno:5=-0.5 n:location=-0.5 n:pod=-0.5 n:server=-0.5 n:source=-0.5 n:version=-0.5
  num&alert=-0.5 pos:2=-0.5 u:attachments=-0.5 u:text=-0.5 v:date&end=-0.5 v:flag&down=-0.5
  v:sentence&time=-0.5 v:state&id=-0.5 v:state&type=-0.5 v:word&event=-0.5
  v:words&description=-0.5 w:error=-0.5 w:failure=-0.5 w:generator=-0.5 w:repo=-0.5
  w:workflow=-0.5 d:4=-0.6 e:accountid=-0.6 e:alarmid=-0.6 e:body=-0.6 e:date=-0.6
  e:fingerprint=-0.6 e:finished=-0.6 e:from=-0.6 e:jobid=-0.6 e:mainpid=-0.6 e:platform=-0.6
  e:process=-0.6 e:reason=-0.6 e:revision=-0.6 e:serial=-0.6 e:size=-0.6 e:started=-0.6
  e:state=-0.6 e:target=-0.6 e:team=-0.6 e:truncatedalerts=-0.6 e:uuid=-0.6 e:year=-0.6
  k:alarmid=-0.6 k:body=-0.6 k:date=-0.6 k:fingerprint=-0.6 k:finished=-0.6 k:from=-0.6
  k:incidentid=-0.6 k:jobid=-0.6 k:mainpid=-0.6 k:platform=-0.6 k:process=-0.6 k:revision=-0.6
  k:serial=-0.6 k:size=-0.6 k:started=-0.6 k:target=-0.6 k:team=-0.6 k:truncatedalerts=-0.6
  k:uuid=-0.6 k:year=-0.6 n:body=-0.6 n:event=-0.6 n:fingerprint=-0.6 n:finished=-0.6 n:from=-0.6
  n:hash=-0.6 n:identifier=-0.6 n:platform=-0.6 n:process=-0.6 n:status=-0.6 n:team=-0.6
  n:username=-0.6 n:year=-0.6 num&heartbeat=-0.6 u:pipeline=-0.6 u:service=-0.6
  v:number&state=-0.6 v:number&year=-0.6 v:sentence&action=-0.6 v:sentence&active=-0.6
  v:sentence&process=-0.6 v:state&description=-0.6 v:state&impact=-0.6 v:word&author=-0.6
  v:word&encoding=-0.6 v:word&platform=-0.6 v:word&revision=-0.6 v:word&source=-0.6
  v:word&target=-0.6 v:word&team=-0.6 v:word&time=-0.6 v:word&trigger=-0.6 v:words&loaded=-0.6
  v:words&time=-0.6 w:html=-0.6 w:running=-0.6 w:truncated=-0.6 w:web=-0.6 base=-0.7 d:2=-0.7
  d:3=-0.7 e:=-0.7 e:channel=-0.7 e:color=-0.7 e:created=-0.7 e:details=-0.7 e:down=-0.7
  e:environmentname=-0.7 e:eventtype=-0.7 e:externalurl=-0.7 e:impact=-0.7 e:metricname=-0.7
  e:monitorstatus=-0.7 e:namespace=-0.7 e:protocol=-0.7 e:received=-0.7 e:releasetitle=-0.7
  e:resolved=-0.7 e:server=-0.7 e:username=-0.7 e:webhookid=-0.7 k:=-0.7 k:buildid=-0.7
  k:channel=-0.7 k:color=-0.7 k:created=-0.7 k:details=-0.7 k:deviceid=-0.7 k:down=-0.7
  k:eventtype=-0.7 k:externalurl=-0.7 k:impact=-0.7 k:metricname=-0.7 k:monitorstatus=-0.7
  k:namespace=-0.7 k:organizationname=-0.7 k:protocol=-0.7 k:received=-0.7 k:releasetitle=-0.7
  k:resolved=-0.7 len:0=-0.7 n:=-0.7 n:action=-0.7 n:channel=-0.7 n:domain=-0.7 n:encoding=-0.7
  n:id=-0.7 n:pid=-0.7 n:ping=-0.7 n:protocol=-0.7 n:received=-0.7 n:resolved=-0.7 n:revision=-0.7
  person=-0.7 v:date&ts=-0.7 v:link&target=-0.7 v:link&value=-0.7 v:mail=-0.7 v:number&time=-0.7
  v:sentence&cause=-0.7 v:sentence&output=-0.7 v:sentence&received=-0.7 v:state&event=-0.7
  v:word&channel=-0.7 v:word&date=-0.7 v:word&protocol=-0.7 v:word&token=-0.7 v:words&text=-0.7
  w:end=-0.7 w:external=-0.7 w:group=-0.7 w:http=-0.7 w:local=-0.7 w:max=-0.7 w:severity=-0.7
  w:title=-0.7 e:active=-0.8 e:detail=-0.8 e:deviceid=-0.8 e:errors=-0.8 e:group=-0.8 e:href=-0.8
  e:level=-0.8 e:loaded=-0.8 e:method=-0.8 e:mimetype=-0.8 e:ref=-0.8 e:stage=-0.8 e:token=-0.8
  e:weight=-0.8 k:accountname=-0.8 k:active=-0.8 k:detail=-0.8 k:errors=-0.8 k:group=-0.8
  k:href=-0.8 k:level=-0.8 k:loaded=-0.8 k:method=-0.8 k:mimetype=-0.8 k:monitorid=-0.8 k:ref=-0.8
  k:stage=-0.8 k:token=-0.8 k:weight=-0.8 kind:text=-0.8 n:active=-0.8 n:alerts=-0.8
  n:created=-0.8 n:detail=-0.8 n:down=-0.8 n:end=-0.8 n:errors=-0.8 n:href=-0.8 n:interval=-0.8
  n:labels=-0.8 n:load=-0.8 n:loaded=-0.8 n:method=-0.8 n:num=-0.8 n:ref=-0.8 n:token=-0.8
  n:update=-0.8 n:weight=-0.8 num&issue=-0.8 pos:4=-0.8 v:date&created=-0.8 v:date&date=-0.8
  v:date&start=-0.8 v:number=-0.8 v:number&alerts=-0.8 v:number&at=-0.8 v:sentence&error=-0.8
  v:sentence&status=-0.8 v:state=-0.8 v:word&by=-0.8 v:word&group=-0.8 v:word&method=-0.8
  v:word&ref=-0.8 v:word&size=-0.8 v:word&text=-0.8 v:word&version=-0.8 v:words&error=-0.8
  w:build=-0.8 w:environment=-0.8 w:execution=-0.8 w:host=-0.8 w:mime=-0.8 w:product=-0.8
  w:remote=-0.8 w:request=-0.8 w:rule=-0.8 w:run=-0.8 w:topic=-0.8 e:agentid=-0.9 e:datetime=-0.9
  e:objectname=-0.9 e:phase=-0.9 e:priority=-0.9 e:result=-0.9 e:siteid=-0.9 e:sourceid=-0.9
  e:timestamp=-0.9 e:trigger=-0.9 k:datetime=-0.9 k:phase=-0.9 k:priority=-0.9 k:result=-0.9
  k:timestamp=-0.9 k:trigger=-0.9 len:3=-0.9 n:phase=-0.9 n:sha=-0.9 n:started=-0.9 n:trigger=-0.9
  num&data=-0.9 num&metadata=-0.9 num&repository=-0.9 u:error=-0.9 u:request=-0.9 u:status=-0.9
  v:date&at=-0.9 v:date&time=-0.9 v:date&timestamp=-0.9 v:link&link=-0.9 v:mail&to=-0.9
  v:state&priority=-0.9 v:word&code=-0.9 v:word&color=-0.9 v:word&path=-0.9 v:word&serial=-0.9
  w:api=-0.9 w:from=-0.9 w:metric=-0.9 w:release=-0.9 w:resource=-0.9 w:signature=-0.9
  e:account=-1 e:accountname=-1 e:branchname=-1 e:cause=-1 e:error=-1 e:messageid=-1 e:receiver=-1
  k:account=-1 k:cause=-1 k:error=-1 k:messageid=-1 k:receiver=-1 n:author=-1 n:color=-1
  n:commit=-1 n:env=-1 n:failed=-1 n:output=-1 n:provider=-1 n:receiver=-1 n:secret=-1 n:state=-1
  n:success=-1 n:ts=-1 num&check=-1 num&status=-1 u:priority=-1 v:long=-1 v:measure=-1
  v:number&address=-1 v:number&amount=-1 v:state&level=-1 v:state&result=-1 v:word&env=-1
  v:word&provider=-1 v:word&receiver=-1 v:word&secret=-1 v:words&username=-1 v:words&value=-1
  w:account=-1 w:actions=-1 w:customer=-1 w:file=-1 w:first=-1 w:of=-1 w:result=-1 w:serial=-1
  w:series=-1 w:start=-1 w:sub=-1 w:team=-1 w:threshold=-1 e:buildid=-1.1 e:count=-1.1
  e:monitorid=-1.1 e:monitorurl=-1.1 e:organizationname=-1.1 e:origin=-1.1 k:checkid=-1.1
  k:count=-1.1 k:monitorurl=-1.1 k:origin=-1.1 lineno:1=-1.1 lineno:2=-1.1 lineno:4=-1.1
  n:amount=-1.1 n:arn=-1.1 n:client=-1.1 n:link=-1.1 n:mac=-1.1 n:mode=-1.1 n:n=-1.1
  n:priority=-1.1 n:serial=-1.1 num&pipeline=-1.1 v:measure&id=-1.1 v:sentence&details=-1.1
  v:state&summary=-1.1 v:word&arn=-1.1 v:word&client=-1.1 v:word&mac=-1.1 v:word&mode=-1.1
  v:words&location=-1.1 v:words&output=-1.1 w:actor=-1.1 w:auto=-1.1 w:branch=-1.1 w:date=-1.1
  w:files=-1.1 w:state=-1.1 w:status=-1.1 w:time=-1.1 w:triggered=-1.1 e:to=-1.2 k:to=-1.2
  n:group=-1.2 n:impact=-1.2 n:level=-1.2 n:start=-1.2 n:timestamp=-1.2 n:uptime=-1.2
  num&events=-1.2 u:actions=-1.2 u:labels=-1.2 u:state=-1.2 u:user=-1.2 v:date&message=-1.2
  v:link&url=-1.2 v:state&tags=-1.2 v:words&category=-1.2 w:old=-1.2 w:organization=-1.2
  e:contenttype=-1.3 e:incidentid=-1.3 e:monitortype=-1.3 e:notificationtype=-1.3
  k:contenttype=-1.3 k:monitortype=-1.3 k:notificationtype=-1.3 n:account=-1.3 n:address=-1.3
  n:filename=-1.3 n:to=-1.3 n:uuid=-1.3 num&attributes=-1.3 num&project=-1.3 u:run=-1.3
  u:severity=-1.3 v:date=-1.3 v:link=-1.3 v:number&duration=-1.3 v:number&port=-1.3
  v:number&status=-1.3 v:state&status=-1.3 v:word&model=-1.3 v:word&uuid=-1.3 w:is=-1.3
  w:target=-1.3 w:update=-1.3 e:checkid=-1.4 n:at=-1.4 n:by=-1.4 n:cause=-1.4 n:date=-1.4
  n:details=-1.4 n:error=-1.4 n:result=-1.4 n:target=-1.4 num&incident=-1.4 u:release=-1.4
  v:address&event=-1.4 v:flag&alarm=-1.4 v:word&to=-1.4 w:current=-1.4 w:in=-1.4 w:main=-1.4
  e:dataid=-1.5 n:operator=-1.5 n:stage=-1.5 u:execution=-1.5 u:trigger=-1.5 v:address&id=-1.5
  v:id=-1.5 v:word&action=-1.5 v:word&msg=-1.5 v:word&user=-1.5 w:content=-1.5 w:to=-1.5
  w:user=-1.5 e:attachmentstext=-1.6 n:controller=-1.6 n:size=-1.6 n:uid=-1.6 u:blocks=-1.6
  v:word&unit=-1.6 v:words&status=-1.6 w:monitoring=-1.6 e:objectid=-1.7 later=-1.7 num&event=-1.7
  num&monitor=-1.7 u:info=-1.7 u:meta=-1.7 v:address&type=-1.7 v:id&id=-1.7 v:mail&from=-1.7
  v:word&from=-1.7 w:battery=-1.7 w:ssl=-1.7 n:time=-1.8 u:sender=-1.8 v:number&severity=-1.8
  v:word&location=-1.8 w:notification=-1.8 e:fieldsname=-1.9 k:orgid=-1.9 v:sentence&device=-1.9
  v:word&region=-1.9 v:words&reason=-1.9 len:4=-2 v:measure&value=-2 v:state&state=-2.1
  w:last=-2.1 v:flag=-2.4 u:heartbeat=-2.7 lineno:3=-2.9 v:state&severity=-3.1 u:annotations=-3.4
`
